import type { Estado } from '../estado.ts'
import { cadastroSvrs } from '../families/cadastro-svrs.ts'

export const estado = { uf: 'SC', ie: [cadastroSvrs('SC')] } satisfies Estado
