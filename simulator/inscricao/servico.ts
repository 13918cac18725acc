import type { Uf } from '../documento/molde.ts'
import type { VersaoSoap } from '../platform/soap.ts'

/** Namespace of the service (official WSDL of CadConsultaCadastro4). */
export const WSDL = 'http://www.portalfiscal.inf.br/nfe/wsdl/CadConsultaCadastro4'

/** A server that offers CadConsultaCadastro4: its names, its path, and how it writes. */
export type Servico = {
  nome: string
  ufs: readonly Uf[]
  producao: string
  homologacao: string
  caminho: string
  /**
   * What it runs on. ASP.NET (IIS) takes a path in any case and has its own error pages; of the Java servers
   * only MT is known to answer a message that departs from the WSDL.
   */
  motor: 'asp.net' | 'java'
  /** SOAP versions that it understands. */
  entende: readonly VersaoSoap[]
  /** MT wants one more element around the message, and answers a fault without it. */
  embrulho: boolean
  estilo: Estilo
}

/**
 * How a server's answers look: captured where a comment in the table says so, invented (plausible, within the
 * schema) elsewhere.
 */
export type Estilo = {
  verAplic: string
  versao: string
  soap: VersaoSoap
  prefixo: string
  declaracao: string
  /** Declares `xsi` and `xsd` on the envelope. */
  esquemas: boolean
  /** Parameters after the media type. */
  parametros: string
  /** Prefix of the retConsCad elements. */
  prefixoRetorno: string
  recuado: boolean
  acentos: boolean
  /**
   * How much of a registration the answer holds: the schema's minimum, plus situation and activity, or all.
   */
  campos: 'minimos' | 'medios' | 'completos'
  /** Whether it tells who may issue NF-e and CT-e; 4, "not told", when it does not. */
  credenciamento: boolean
  /** Offset of dhCons. */
  fuso: '-03:00' | '-04:00'
  /** States that answer queries by CPF; the others reject with 262. */
  consultaCpf: boolean
}
