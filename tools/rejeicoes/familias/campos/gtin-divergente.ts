import type { Familia } from '../familia.ts'

/**
 * What the central register of GTIN tells of a product, against the item. Parameters: `dado`, `campo`,
 * `nome`, `gtin`.
 */
export const familia: Familia = (ficha) => {
  const [dado, campo, gtin] = [ficha.um('dado'), ficha.um('campo'), ficha.um('gtin')]
  return {
    causas: [
      `O ${dado} do item (${campo}) não é o que o Cadastro Centralizado de GTIN traz para o ${ficha.um('nome')} (${gtin}); o esperado vem na mensagem.`,
      `O código de barras pode ser de outro produto, o seu ${dado} pode estar velho, ou o cadastro central pode estar errado.`,
    ],
    passos: [
      `Compare ${campo} com o ${dado} esperado que a mensagem mostra.`,
      `Se o cadastro central está certo, corrija o ${dado} no item e no cadastro do produto e revise a tributação.`,
      `Se o código de barras é de outro produto, corrija ${gtin}.`,
      `Se o seu ${dado} está certo, o dono da marca precisa atualizá-lo na GS1 Brasil.`,
    ],
  }
}
