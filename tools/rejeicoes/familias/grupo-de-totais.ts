import type { Familia } from './familia.ts'

/**
 * A group of totals that is missing, or that no item asks for. Parameters: `grupo`, `item` (paths), `nome`,
 * `nomeItem`, `erro` (`falta` or `sobra`).
 */
export const familia: Familia = (ficha) => {
  const [grupo, nome, item, tributo] = ['grupo', 'nome', 'item', 'nomeItem'].map(ficha.um)
  const modelos = 'Vale para NF-e (modelo 55) e NFC-e (modelo 65).'
  if (ficha.um('erro') === 'falta')
    return {
      causas: [
        `Pelo menos um item traz ${tributo} (${item}), mas a nota não traz o grupo de ${nome} (${grupo}).`,
        'O emissor preencheu o tributo nos itens sem gerar o total correspondente.',
        modelos,
      ],
      passos: [
        `Confirme quais itens devem mesmo ter ${item}.`,
        `Inclua ${grupo} com a soma dos valores desses itens; se nenhum item deveria ter o tributo, retire ${item} deles.`,
        'Confira os outros totais da nota antes de gerar o XML.',
      ],
    }
  return {
    causas: [
      `A nota traz o grupo de ${nome} (${grupo}), mas nenhum item informa ${tributo} (${item}).`,
      'O emissor gera o grupo com zeros em toda nota, ou o tributo deixou de ser gravado nos itens.',
      modelos,
    ],
    passos: [
      `Veja se algum item deveria trazer ${item}.`,
      `Se nenhum deveria, retire ${grupo} por inteiro, mesmo que esteja com zeros.`,
      `Se algum deveria, preencha ${item} nele e refaça os valores de ${grupo}.`,
    ],
  }
}
