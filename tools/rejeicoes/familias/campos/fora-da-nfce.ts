import type { Familia } from '../familia.ts'
import { nomear } from './nomes.ts'

/**
 * What a sale to a consumer may not carry, in the head of the note or in an item. Parameters: `notas`
 * (which documents), `nome`, `campo` (path), `se` (what makes the mend right), `conserto` (instead of the
 * removal), `senao` (a sentence).
 */
export const familia: Familia = (ficha) => {
  const campo = ficha.um('campo')
  const conserto = ficha.talvez('conserto') || `retire ${nomear(campo)} do XML`
  const se = ficha.talvez('se') || 'a venda ao consumidor não depende dessa informação'
  return {
    causas: [
      `A ${ficha.um('notas')} traz ${ficha.um('nome')} (${campo}), o que a regra não admite nesse documento.`,
    ],
    passos: [
      `Localize ${nomear(campo)}${ficha.talvez('onde')} e confira ide/mod e ide/tpImp.`,
      `Se ${se}, ${conserto}.`,
      ...ficha.lista('senao'),
    ],
  }
}
