import { acharItem, alcance } from '../alcance.ts'
import type { Familia } from './familia.ts'

/**
 * A field that a circumstance of the item asks for. Parameters: `falta` (with its path), `quando` (the
 * circumstance), `circunstancia` (what to check first), `conserto` (sentences), `refaz` (what depends on
 * it, if anything).
 */
export const familia: Familia = (ficha) => {
  const [falta, circunstancia] = [ficha.um('falta'), ficha.um('circunstancia')]
  const refaz = ficha.talvez('refaz')
  return {
    causas: [`${ficha.um('quando')}, mas ${falta}.`, ...alcance(ficha)],
    passos: [
      `${acharItem(ficha)} e confira ${circunstancia}: se o erro estiver aí, a correção dispensa o resto.`,
      ...ficha.lista('conserto'),
      ...(refaz ? [`Refaça ${refaz}.`] : []),
    ],
  }
}
