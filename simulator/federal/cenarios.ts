import { dvCnpj } from '../dados-abertos/documento.ts'
import type { ErroDoGateway } from './contrato/mensagem.ts'

/** A company of the Receita Federal that is out of the ordinary there, and in the states is like any other. */
export type CenarioFederal = {
  nome: string
  documento: string
  /** The error with which the gateway keeps every product from answering. */
  erro?: ErroDoGateway
  /** The registry has a part of the data, takes the digits for wrong, or leaves `socios` out. */
  cnpj?: 'parcial' | 'invalido' | 'sem-socios'
  nota: string
}

/** Order is identity: the n-th row is the head office of root 98764000 + n, so new rows go to the end. */
const linhas: readonly [
  nome: string,
  efeito: Omit<CenarioFederal, 'nome' | 'documento' | 'nota'>,
  nota: string,
][] = [
  ['cnpj-206', { cnpj: 'parcial' }, 'HTTP 206: a Receita responde uma parte dos dados'],
  ['gateway-403', { erro: 'nao-contratado' }, 'HTTP 403: o produto não está no contrato'],
  ['cnpj-400', { cnpj: 'invalido' }, 'HTTP 400: a Receita diz que o CNPJ é inválido'],
  ['gateway-429', { erro: 'estrangulado' }, 'HTTP 429: consultas demais'],
  ['gateway-502', { erro: 'ma-ligacao' }, 'HTTP 502: o gateway não alcança a Receita'],
  ['gateway-503', { erro: 'fora-do-ar' }, 'HTTP 503: o produto está fora do ar'],
  ['gateway-504', { erro: 'sem-resposta' }, 'HTTP 504: a Receita não responde ao gateway'],
  ['cnpj-sem-socios', { cnpj: 'sem-socios' }, 'a resposta não traz a lista de sócios'],
]

/** Every company that is out of the ordinary, by the document that stands for it. */
export const cenariosFederais: readonly CenarioFederal[] = linhas.map(([nome, efeito, nota], indice) => {
  const doze = `${98_764_001 + indice}0001`
  return { nome, documento: doze + dvCnpj(doze), ...efeito, nota }
})

const porDocumento = new Map(cenariosFederais.map((um) => [um.documento, um]))

/** What is out of the ordinary about a document; undefined for all but the series 98.764.0NN/0001. */
export function findCenarioFederal(documento: string): CenarioFederal | undefined {
  return porDocumento.get(documento)
}
