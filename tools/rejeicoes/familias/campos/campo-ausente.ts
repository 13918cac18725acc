import type { Familia } from '../familia.ts'
import { nomear } from './nomes.ts'

/**
 * A field or group that a circumstance of the note asks for. Parameters: `nome`, `campo` (path), `quando`
 * (the circumstance), `valor` (what to inform, and where), `senao` (a sentence: what if the circumstance
 * is wrong).
 */
export const familia: Familia = (ficha) => {
  const campo = ficha.um('campo')
  return {
    causas: [`Falta ${ficha.um('nome')} (${campo}) ${ficha.um('quando')}.`],
    passos: [
      `Veja se a nota traz ${nomear(campo)}${ficha.talvez('onde').replace(/^, pedid[oa] pel([oa]) (.*)$/, ', que $1 $2 exige')}.`,
      `Informe ${ficha.um('valor')}.`,
      ...ficha.lista('senao'),
    ],
  }
}
