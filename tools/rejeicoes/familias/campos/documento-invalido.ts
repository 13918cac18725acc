import type { Familia } from '../familia.ts'

/**
 * A document whose number does not pass its own check. Parameters: `nome`, `campo` (path), `defeito` (what
 * the rule refuses, as a predicate), `fonte` (where the right number stands).
 */
export const familia: Familia = (ficha) => {
  const [nome, campo] = [ficha.um('nome'), ficha.um('campo')]
  return {
    causas: [
      `${nome.charAt(0).toUpperCase()}${nome.slice(1)} (${campo}) ${ficha.um('defeito')}.`,
      'A conta é feita só sobre o que foi informado, sem consulta a cadastro.',
    ],
    passos: [
      `Compare ${campo}${ficha.talvez('onde')} com ${ficha.um('fonte')}.`,
      `Corrija ${campo} no XML e no cadastro, sem pontos, barras nem hífens.`,
    ],
  }
}
