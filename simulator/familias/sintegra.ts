import type { Par } from '../portal/html.ts'
import type { Ficha } from './ficha.ts'

/** A block of the inter-state page: its title and what is in it, in order. */
export type Bloco = { titulo: string; pares: readonly Par[] }

/** Where it is, in the labels of the standard page. */
export function paresDoEndereco(ficha: Ficha): readonly Par[] {
  return [
    ['Logradouro:', ficha.logradouro],
    ['Número:', ficha.numero],
    ['Complemento:', ficha.complemento],
    ['Bairro:', ficha.bairro],
    ['Município:', ficha.municipio],
    ['UF:', ficha.uf],
    ['CEP:', ficha.cep],
  ]
}

/** The standard page of SINTEGRA, whose labels most states keep; `documento` is how this state calls CNPJ and CPF. */
export function blocosDoSintegra(ficha: Ficha, documento = 'CPF/CNPJ:'): readonly Bloco[] {
  return [
    {
      titulo: 'IDENTIFICAÇÃO',
      pares: [
        [documento, ficha.documento],
        ['Inscrição Estadual:', ficha.ie],
        ['Razão Social:', ficha.nome],
      ],
    },
    {
      titulo: 'ENDEREÇO',
      pares: [...paresDoEndereco(ficha), ['Endereço Eletrônico:', ''], ['Telefone:', '']],
    },
    {
      titulo: 'INFORMAÇÕES COMPLEMENTARES',
      pares: [
        ['Atividade Econômica:', `${ficha.cnaeComMascara} - ${ficha.atividade}`],
        ['Data da Inscrição Estadual:', ficha.inicio],
        ['Situação Cadastral Vigente:', ficha.situacao],
        ['Data desta Situação Cadastral:', ficha.dataDaSituacao],
        ['Regime de Apuração de ICMS:', ficha.regime],
        ['Emitente de NFe desde:', ficha.nfeDesde],
      ],
    },
  ]
}

/** What stands at the foot of the page. */
export const OBSERVACAO =
  'Observação: Os dados acima estão baseados em informações fornecidas pelos próprios contribuintes cadastrados. Não valem como certidão de sua efetiva existência de fato e de direito.'
