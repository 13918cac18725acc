import { type Ficha, type Leiaute, preencher } from './ficha.ts'
import type { Par } from './html.ts'

/** A block of the inter-state page: its title, and its labels and values in order. */
type Bloco = { titulo: string; pares: readonly Par[] }

/** The address, in the labels of the standard page. */
export const ENDERECO: Leiaute = [
  ['Logradouro:', 'logradouro'],
  ['Número:', 'numero'],
  ['Complemento:', 'complemento'],
  ['Bairro:', 'bairro'],
  ['Município:', 'municipio'],
  ['UF:', 'uf'],
  ['CEP:', 'cep'],
]

const PADRAO: readonly { titulo: string; leiaute: Leiaute }[] = [
  {
    titulo: 'IDENTIFICAÇÃO',
    leiaute: [
      ['{documento}', 'documento'],
      ['Inscrição Estadual:', 'ie'],
      ['Razão Social:', 'nome'],
    ],
  },
  {
    titulo: 'ENDEREÇO',
    leiaute: [...ENDERECO, ['Endereço Eletrônico:', undefined], ['Telefone:', undefined]],
  },
  {
    titulo: 'INFORMAÇÕES COMPLEMENTARES',
    leiaute: [
      ['Atividade Econômica:', 'atividadeComMascara'],
      ['Data da Inscrição Estadual:', 'inicio'],
      ['Situação Cadastral Vigente:', 'situacao'],
      ['Data desta Situação Cadastral:', 'dataDaSituacao'],
      ['Regime de Apuração de ICMS:', 'regime'],
      ['Emitente de NFe desde:', 'nfeDesde'],
    ],
  },
]

/**
 * The standard page of SINTEGRA, whose labels most states keep. `documento` is this state's label for CNPJ
 * and CPF.
 */
export function blocosDoSintegra(ficha: Ficha, documento = 'CPF/CNPJ:'): readonly Bloco[] {
  return PADRAO.map(({ titulo, leiaute }) => ({
    titulo,
    pares: preencher(leiaute, ficha).map(([rotulo, valor]) => [
      rotulo.replace('{documento}', documento),
      valor,
    ]),
  }))
}

/** The same without its titles. */
export function paresDoSintegra(ficha: Ficha): readonly Par[] {
  return blocosDoSintegra(ficha).flatMap(({ pares }) => pares)
}

/** What stands at the foot of the page. */
export const OBSERVACAO =
  'Observação: Os dados acima estão baseados em informações fornecidas pelos próprios contribuintes cadastrados. Não valem como certidão de sua efetiva existência de fato e de direito.'
