import type { Estado } from '../estado.ts'
import { cadastroSvrs } from '../families/cadastro-svrs.ts'

export const estado = { uf: 'PB', ie: [cadastroSvrs('PB')] } satisfies Estado
