import type { Portal } from '../portal/portal.ts'
import { cadastro } from './pi/cadastro.ts'
import { certidoes } from './pi/certidao.ts'

export const portais: readonly Portal[] = [cadastro, certidoes]
