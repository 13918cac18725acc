import { alcance } from '../alcance.ts'
import type { Familia } from './familia.ts'

/**
 * A total that differs from the sum of one field of the items. Parameters: `total` and `parcela` (paths)
 * with their names (`o valor total do ICMS`, `do valor do ICMS`), `quais` (which items count), `compoe`
 * (the total that this one is part of, if any), `conserto` (sentences on how to mend it).
 */
export const familia: Familia = (ficha) => {
  const [total, nomeTotal] = [ficha.um('total'), ficha.um('nomeTotal')]
  const [parcela, nomeParcela] = [ficha.um('parcela'), ficha.um('nomeParcela')]
  const quais = ficha.talvez('quais') || 'de todos os itens'
  const compoe = ficha.talvez('compoe')
  const campo = parcela.split('/').at(-1)
  return {
    causas: [
      `${nomeTotal.charAt(0).toUpperCase()}${nomeTotal.slice(1)} (${total}) não bate com a soma ${nomeParcela} (${parcela}) ${quais}.`,
      `Isso ocorre quando o total é calculado à parte, sem somar o ${campo} já arredondado de cada item, ou quando um item muda depois da soma.`,
      ...alcance(ficha),
    ],
    passos: [
      `Some ${parcela} ${quais}, com as casas decimais gravadas no XML, e compare com ${total}.`,
      `Ache de onde vem a diferença em ${campo}: item que faltou na soma, item somado a mais ou arredondamento.`,
      `Se um item está errado, corrija ${parcela} nele; se os itens estão certos, grave a soma em ${total}.`,
      ...ficha.lista('conserto'),
      ...(compoe ? [`Refaça ${compoe}, do qual este total faz parte, e confira os pagamentos.`] : []),
    ],
  }
}
