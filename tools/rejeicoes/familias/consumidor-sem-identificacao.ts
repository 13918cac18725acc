import type { Familia } from './familia.ts'

/**
 * A sale to a consumer whose total asks for an identification. Parameters: `falta` (what is missing),
 * `conserto` (how to fill it), `limite` (a sentence).
 */
export const familia: Familia = (ficha) => ({
  causas: [
    `A nota passa do valor até o qual o consumidor pode ficar sem identificação, e não traz ${ficha.um('falta')}.`,
    ficha.um('limite'),
    'Vale para NFC-e (modelo 65) e para NF-e com DANFE Simplificado Tipo 2 (ide/tpImp = 6).',
  ],
  passos: [
    'Confira total/ICMSTot/vNF: se o valor foi digitado errado, corrija os itens e os totais.',
    ficha.um('conserto'),
    'Valide os dados do destinatário com o comprador antes de gerar o XML.',
  ],
})
