import type { Portal } from '../portal/portal.ts'
import { cadastro } from './pe/cadastro.ts'
import { certidoes } from './pe/certidao.ts'

export const portais: readonly Portal[] = [cadastro, certidoes]
