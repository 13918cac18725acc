import type { Familia } from './familia.ts'

/** An event whose condition is its own: the sheet tells it, and the last step is that of all events. */
export const familia: Familia = () => ({ causas: [], passos: [] })
