import { openRepetir, rows } from '../kit/repetir-rows.ts'

openRepetir().testRows(Object.keys(rows))
