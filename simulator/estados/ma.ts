import type { Portal } from '../portal/portal.ts'
import { cadastro } from './ma/cadastro.ts'
import { certidoes } from './ma/certidao.ts'

export const portais: readonly Portal[] = [cadastro, certidoes]
