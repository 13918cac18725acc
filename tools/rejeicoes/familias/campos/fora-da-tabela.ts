import type { Familia } from '../familia.ts'

/**
 * A code that its official table lacks. Parameters: `nome`, `campo` (path), `tabela`, `fonte` (where to
 * look).
 */
export const familia: Familia = (ficha) => {
  const campo = ficha.um('campo')
  return {
    causas: [`O código gravado para ${ficha.um('nome')} (${campo}) não existe na ${ficha.um('tabela')}.`],
    passos: [
      `Leia ${campo}${ficha.talvez('onde')}.`,
      `Consulte ${ficha.um('fonte')} e corrija o código no XML e no cadastro de onde ele veio.`,
    ],
  }
}
