import type { Familia } from './familia.ts'

/** Text written by hand: all of it stands in the sheet, which tells why. */
export const familia: Familia = () => ({ causas: [], passos: [] })
