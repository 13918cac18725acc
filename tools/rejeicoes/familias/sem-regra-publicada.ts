import type { Familia } from './familia.ts'

/**
 * A code of which only the reason is published. `fato` says what the reason says; the sheet's steps follow.
 */
export const familia: Familia = (ficha) => ({
  causas: [
    ficha.um('fato'),
    'A condição exata não consta das regras publicadas que este catálogo reúne: o texto segue o motivo oficial.',
  ],
  passos: [],
})
