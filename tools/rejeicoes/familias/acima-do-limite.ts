import type { Familia } from './familia.ts'

/** A total above the limit of the state. Parameters: `campo` (path) and `nome` with its article. */
export const familia: Familia = (ficha) => {
  const [campo, nome] = [ficha.um('campo'), ficha.um('nome')]
  return {
    causas: [
      `${nome.charAt(0).toUpperCase()}${nome.slice(1)} (${campo}) passa do limite fixado pela SEFAZ.`,
      'O caso mais simples é erro de digitação: quantidade, preço ou casas decimais trocadas em um item.',
    ],
    passos: [
      `Leia ${campo} e procure o item que pesa mais nele: confira quantidade, preço unitário e casas decimais.`,
      'Se o valor está errado, corrija o item e refaça os totais.',
      'Se o valor está certo, peça à SEFAZ da UF a orientação para operações acima do limite antes de emitir.',
    ],
  }
}
