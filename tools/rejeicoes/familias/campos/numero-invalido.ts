import type { Familia } from '../familia.ts'

/**
 * A number of another office that the rule calls invalid without telling its form. Parameters: `nome`,
 * `campo` (path), `origem` (the document to copy it from), `senao` (a sentence).
 */
export const familia: Familia = (ficha) => {
  const [nome, campo] = [ficha.um('nome'), ficha.um('campo')]
  return {
    causas: [
      `O número ${nome} (${campo}) é inválido.`,
      'A regra não descreve o formato: procure pontuação, algarismo a menos e número de outro documento.',
    ],
    passos: [
      `Localize ${campo}${ficha.talvez('onde')}.`,
      `Copie o número ${ficha.um('origem')}, sem pontuação, e corrija o campo.`,
      ...ficha.lista('senao'),
    ],
  }
}
