import { emCampos, type Familia } from './familia.ts'

/**
 * A key of another document that the note refers to. Parameters: `onde` (the paths it may stand in),
 * `defeito` (what it is), `conserto` (what to mend), `facultativa` if each UF decides whether it applies
 * the rule.
 */
export const familia: Familia = (ficha) => {
  const onde = emCampos(ficha.lista('onde'), 'ou')
  return {
    causas: [
      `A chave de um documento referenciado (${onde}) ${ficha.um('defeito')}.`,
      ...(ficha.talvez('facultativa') ? ['A regra é da NF-e, modelo 55, e cada UF decide se a aplica.'] : []),
    ],
    passos: [
      `Localize a referência (${onde}) pela posição que a mensagem traz em [nOcor: …] ou pelo item.`,
      `Corrija ${ficha.um('conserto')}.`,
      'Consulte na SEFAZ a chave corrigida, para ter certeza de que ela existe.',
    ],
  }
}
