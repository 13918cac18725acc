import { acharItem, alcance } from '../alcance.ts'
import type { Familia } from './familia.ts'

/**
 * A field or a value that the rest of the item does not admit. Parameters: `fato` (a sentence),
 * `circunstancia` (what to check first), `conserto` (sentences), `refaz` (what depends on it, if anything).
 */
export const familia: Familia = (ficha) => {
  const refaz = ficha.talvez('refaz')
  return {
    causas: [ficha.um('fato'), ...alcance(ficha)],
    passos: [
      `${acharItem(ficha)} e confira ${ficha.um('circunstancia')}.`,
      ...ficha.lista('conserto'),
      ...(refaz ? [`Refaça ${refaz}.`] : []),
    ],
  }
}
