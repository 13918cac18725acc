import { linhas } from '../kit/repetir-linhas.ts'
import { openRepetir } from '../kit/repetir-prova.ts'

openRepetir().provar(Object.keys(linhas))
