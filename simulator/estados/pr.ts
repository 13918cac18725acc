import { sintegraPr } from '../familias/cakephp.ts'
import type { Portal } from '../portal/portal.ts'

export const portais: readonly Portal[] = [sintegraPr]
