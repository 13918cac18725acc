import { type Uf, ufs, unidades } from '../documento/uf.ts'
import { quoteOf } from '../platform/texto.ts'
import type { ClientCertificate, Tempos } from '../platform/wire/dial.ts'
import type { Source } from '../platform/wire/fonte.ts'
import { SourceError } from '../platform/wire/fonte.ts'
import type { Http } from '../platform/wire/http.ts'
import { DeadlineError, toSourceError } from '../platform/wire/http.ts'
import { callSoap } from '../platform/wire/soap.ts'
import { textOf, type XmlNode } from '../platform/wire/xml.ts'
import { type EnderecoDeStatus, enderecos } from './enderecos.ts'
import type { Autorizador, Doc } from './rules.ts'

/** What a question to a status service needs. */
export type MeiosDoStatus = {
  /** A door with a clock: without one no answer has its times. */
  http: Http
  certificado: ClientCertificate
  ambiente: 'producao' | 'homologacao'
  /** An answer that took as long, or longer, is a time-out. */
  limiteMs: number
}

/** What an authorizer said of its service. */
export type StatusDoServico = {
  cStat: number
  /** The authority's own words, shortened. */
  xMotivo: string
  /** Undefined where the door has no clock. */
  tempos: Tempos | undefined
}

/** The service is in operation. */
export const EM_OPERACAO = 107

type Mensagem = {
  wsdl: string
  operation: string
  dados: string
  pedido: string
  xmlns: string
  answer: string | readonly string[]
}

const nfe: Mensagem = {
  wsdl: 'http://www.portalfiscal.inf.br/nfe/wsdl/NFeStatusServico4',
  operation: 'nfeStatusServicoNF',
  dados: 'nfeDadosMsg',
  pedido: 'consStatServ',
  xmlns: 'http://www.portalfiscal.inf.br/nfe',
  answer: 'retConsStatServ',
}

const mensagens: Readonly<Record<Doc, Mensagem>> = {
  nfe,
  // The model is the address's.
  nfce: nfe,
  cte: {
    wsdl: 'http://www.portalfiscal.inf.br/cte/wsdl/CTeStatusServicoV4',
    operation: 'cteStatusServicoCT',
    dados: 'cteDadosMsg',
    pedido: 'consStatServCTe',
    xmlns: 'http://www.portalfiscal.inf.br/cte',
    // The second is the spelling of version 3, which some services kept.
    answer: ['retConsStatServCTe', 'retConsStatServCte'],
  },
}

/** Whom a question about an authorizer goes to, for logs and messages. */
export const sourceOf = ({ id, nome }: Pick<Autorizador, 'id' | 'nome'>): Source => ({
  id: `BR/status/${id}`,
  nome,
})

/**
 * Asks one authorizer about its service, naming a state (`consStatServ` 4.00, leiauteConsStatServ_v4.00.xsd;
 * CT-e: consStatServTiposBasico_v4.00.xsd). Throws SourceError where there is no answer of the service.
 */
export async function consultarStatus(
  autorizador: Pick<Autorizador, 'id' | 'doc' | 'nome' | 'casa'>,
  uf: Uf,
  { http, certificado, ambiente, limiteMs }: MeiosDoStatus,
): Promise<StatusDoServico> {
  const { wsdl, operation, dados, pedido, xmlns, answer } = mensagens[autorizador.doc]
  const tpAmb = ambiente === 'producao' ? '1' : '2'
  const message = `<${pedido} xmlns="${xmlns}" versao="4.00"><tpAmb>${tpAmb}</tpAmb><cUF>${unidades[uf].codigo}</cUF><xServ>STATUS</xServ></${pedido}>`
  const source = sourceOf(autorizador)
  const reply = await callSoap(http, {
    source,
    url: `https://${enderecoOf(autorizador.id)[ambiente]}`,
    namespace: wsdl,
    operation,
    body: `<${dados} xmlns="${wsdl}">${message}</${dados}>`,
    answer,
    certificate: certificado,
    deadlineMs: limiteMs,
  })
  const { elapsedMs, tempos } = reply
  if (elapsedMs >= limiteMs) throw toSourceError(new DeadlineError(), source, elapsedMs)
  const misread = (why: string): SourceError =>
    new SourceError('parse', `${source.nome} ${why}.`, { source: source.id, elapsedMs })
  const cStat = textOf(reply.answer, 'cStat')
  // The current schema allows three or four digits.
  if (!/^\d{3,4}$/.test(cStat)) throw misread('não disse o código do serviço')
  const status = { cStat: Number(cStat), xMotivo: quoteOf(textOf(reply.answer, 'xMotivo')), tempos }
  const why =
    status.cStat === EM_OPERACAO && contradicaoOf(reply.answer, { tpAmb, uf, casa: autorizador.casa })
  if (why) throw misread(why)
  return status
}

function enderecoOf(id: string): EnderecoDeStatus {
  const found = enderecos[id]
  if (!found) throw new Error(`${id} has no address`)
  return found
}

type Perguntado = { tpAmb: string; uf: Uf; casa: Autorizador['casa'] }

const estadoDoCodigo = new Map(ufs.map((uf) => [unidades[uf].codigo, uf]))

/**
 * Says how a good answer contradicts its question. MOC 7.0 calls `cUF` the state that attended: services tell
 * the one asked about (SVRS, 2024), their own, or a number that is no state's (90).
 */
function contradicaoOf(answer: XmlNode, { tpAmb, uf, casa }: Perguntado): string | undefined {
  const told = textOf(answer, 'tpAmb')
  if (told !== '' && told !== tpAmb) return `respondeu por outro ambiente (tpAmb ${quoteOf(told)})`
  const other = estadoDoCodigo.get(textOf(answer, 'cUF'))
  return other === undefined || other === uf || other === casa
    ? undefined
    : `respondeu por outro estado (${other})`
}
