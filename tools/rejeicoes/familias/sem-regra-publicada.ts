import type { Familia } from './familia.ts'

/**
 * A code whose rule is not among those that the catalogue reads. `fato` says what the reason says, and `sabe`
 * what else is known: the official text, the service, who answers, or whom to ask.
 */
export const familia: Familia = (ficha) => ({
  causas: [ficha.um('fato'), ...ficha.lista('sabe')],
  passos: [],
})
