import { openRepetir, rows } from '../kit/repetir-rows.ts'

openRepetir().provar(Object.keys(rows))
