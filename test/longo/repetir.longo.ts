import { linhas } from '../api/repetir-linhas.ts'
import { openRepetir } from '../api/repetir-prova.ts'

openRepetir().provar(Object.keys(linhas))
