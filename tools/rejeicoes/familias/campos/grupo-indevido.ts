import type { Familia } from '../familia.ts'
import { nomear } from './nomes.ts'

/**
 * A field or group that a circumstance of the note forbids. Parameters: `nome`, `campo` (path), `quando` (the
 * circumstance), `se` (what makes the removal right), `conserto` (instead of the removal), `ainda` (what
 * goes with it), `senao` (a sentence).
 */
export const familia: Familia = (ficha) => {
  const campo = ficha.um('campo')
  const conserto = ficha.talvez('conserto') || `retire ${nomear(campo)} do XML`
  return {
    causas: [
      `A nota informa ${ficha.um('nome')} (${campo}) ${ficha.um('quando')}, e a regra não aceita essa combinação.`,
    ],
    passos: [
      `Localize ${nomear(campo)}${ficha.talvez('onde')}.`,
      `Se ${ficha.um('se')}, ${conserto}.`,
      ...ficha.lista('ainda'),
      ...ficha.lista('senao'),
    ],
  }
}
