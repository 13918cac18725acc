import type { Uf } from '../documento/uf.ts'
import type { VersaoSoap } from '../platform/soap.ts'
import { readTable } from '../platform/table.ts'

export const WSDL = 'http://www.portalfiscal.inf.br/nfe/wsdl/CadConsultaCadastro4'

export type Servico = {
  nome: string
  ufs: readonly Uf[]
  producao: string
  homologacao: string
  caminho: string
  /**
   * ASP.NET takes a path in any case; of the Java servers only MT is known to answer a departure from the
   * WSDL.
   */
  motor: 'asp.net' | 'java'
  entende: readonly VersaoSoap[]
  /** MT wants one more element around the message, and answers a fault without it. */
  embrulho: boolean
  estilo: Estilo
}

/** How answers look: captured where the table says so, invented elsewhere. */
export type Estilo = {
  verAplic: string
  versao: string
  soap: VersaoSoap
  prefixo: string
  declaracao: string
  esquemas: boolean
  parametros: string
  prefixoRetorno: string
  recuado: boolean
  acentos: boolean
  /** The schema's minimum, plus situation and activity, or all. */
  campos: 'minimos' | 'medios' | 'completos'
  /** Whether it tells who may issue NF-e and CT-e; 4, "not told", when it does not. */
  credenciamento: boolean
  fuso: '-03:00' | '-04:00'
  /** States that answer queries by CPF; the others reject with 262. */
  consultaCpf: boolean
}

/** The ten servers of the 15 states that offer the service; no other state does. */
export const { servicos } = readTable<{ servicos: readonly Servico[] }>('./servicos.json', import.meta.url)
