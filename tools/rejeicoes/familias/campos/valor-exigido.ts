import type { Familia } from '../familia.ts'

/**
 * A field of which a circumstance admits only some values. Parameters: `campo` (path), `quando` (the
 * circumstance, as the start of a sentence), `aceito`, `traz` (what the note
 * has, if the rule names it), `se` (what makes it right), `ainda` (what
 * goes with it), `senao` (a sentence).
 */
export const familia: Familia = (ficha) => {
  const [campo, aceito] = [ficha.um('campo'), ficha.um('aceito')]
  const traz = ficha.talvez('traz') || 'outro valor'
  return {
    causas: [`${ficha.um('quando')}, o campo ${campo} só pode ser ${aceito}, e a nota traz ${traz}.`],
    passos: [
      `Leia ${campo}${ficha.talvez('onde')}.`,
      `Se ${ficha.um('se')}, corrija ${campo} para ${aceito}.`,
      ...ficha.lista('ainda'),
      ...ficha.lista('senao'),
    ],
  }
}
