import type { Familia } from './familia.ts'

/**
 * A total that differs from the sum of one field of the items. Parameters: `total` and `parcela` (paths),
 * `quais` (which items count, such as `dos itens com ISSQN`), `tolerancia` (such as `R$ 0,50`), if any.
 */
export const familia: Familia = (ficha) => {
  const [total, parcela] = [`{${ficha.um('total')}}`, `{${ficha.um('parcela')}}`]
  const quais = ficha.talvez('quais') || 'de todos os itens'
  const tolerancia = ficha.talvez('tolerancia')
  const folga = tolerancia ? `; só uma diferença de até ${tolerancia} é aceita` : ''
  return {
    causas: [`O campo ${total} não é igual à soma do campo ${parcela} ${quais}${folga}.`],
    passos: [
      `Some o campo ${parcela} ${quais} e compare com o valor informado em ${total}.`,
      `Se um item estiver errado, corrija ${parcela} nele; se os itens estiverem certos, grave a soma em ${total}.`,
      'Recalcule o {total/ICMSTot/vNF} e os pagamentos, se a correção os alterar.',
    ],
  }
}
