import type { Portal } from '../portal/portal.ts'
import { sintegraPr } from './cakephp.ts'

export const portais: readonly Portal[] = [sintegraPr]
