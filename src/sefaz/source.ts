import { type Uf, ufs, unidades } from '../documento/uf.ts'
import { quoteOf } from '../platform/texto.ts'
import type { ClientCertificate, Tempos } from '../platform/wire/dial.ts'
import { codeOf, type Source, SourceError } from '../platform/wire/fonte.ts'
import { DeadlineError, type Http, toSourceError } from '../platform/wire/http.ts'
import { callSoap } from '../platform/wire/soap.ts'
import { textOf, type XmlNode } from '../platform/wire/xml.ts'
import type { Autorizador, Doc, LeituraSefaz } from './rules.ts'

export type EnderecoDeStatus = { producao: string; homologacao: string }

/** Origin: the national portals' lists of web services, as public clients carry them in 2026. */
export const enderecos: Readonly<Record<string, EnderecoDeStatus>> = {
  'nfe-am': {
    producao: 'nfe.sefaz.am.gov.br/services2/services/NfeStatusServico4',
    homologacao: 'homnfe.sefaz.am.gov.br/services2/services/NfeStatusServico4',
  },
  'nfe-ba': {
    producao: 'nfe.sefaz.ba.gov.br/webservices/NFeStatusServico4/NFeStatusServico4.asmx',
    homologacao: 'hnfe.sefaz.ba.gov.br/webservices/NFeStatusServico4/NFeStatusServico4.asmx',
  },
  'nfe-go': {
    producao: 'nfe.sefaz.go.gov.br/nfe/services/NFeStatusServico4',
    homologacao: 'homolog.sefaz.go.gov.br/nfe/services/NFeStatusServico4',
  },
  'nfe-mg': {
    producao: 'nfe.fazenda.mg.gov.br/nfe2/services/NFeStatusServico4',
    homologacao: 'hnfe.fazenda.mg.gov.br/nfe2/services/NFeStatusServico4',
  },
  'nfe-ms': {
    producao: 'nfe.sefaz.ms.gov.br/ws/NFeStatusServico4',
    homologacao: 'hom.nfe.sefaz.ms.gov.br/ws/NFeStatusServico4',
  },
  'nfe-mt': {
    producao: 'nfe.sefaz.mt.gov.br/nfews/v2/services/NfeStatusServico4',
    homologacao: 'homologacao.sefaz.mt.gov.br/nfews/v2/services/NfeStatusServico4',
  },
  'nfe-pe': {
    producao: 'nfe.sefaz.pe.gov.br/nfe-service/services/NFeStatusServico4',
    homologacao: 'nfehomolog.sefaz.pe.gov.br/nfe-service/services/NFeStatusServico4',
  },
  'nfe-pr': {
    producao: 'nfe.sefa.pr.gov.br/nfe/NFeStatusServico4',
    homologacao: 'homologacao.nfe.sefa.pr.gov.br/nfe/NFeStatusServico4',
  },
  'nfe-rs': {
    producao: 'nfe.sefazrs.rs.gov.br/ws/NfeStatusServico/NfeStatusServico4.asmx',
    homologacao: 'nfe-homologacao.sefazrs.rs.gov.br/ws/NfeStatusServico/NfeStatusServico4.asmx',
  },
  'nfe-sp': {
    producao: 'nfe.fazenda.sp.gov.br/ws/nfestatusservico4.asmx',
    homologacao: 'homologacao.nfe.fazenda.sp.gov.br/ws/nfestatusservico4.asmx',
  },
  'nfe-svan': {
    producao: 'www.sefazvirtual.fazenda.gov.br/NFeStatusServico4/NFeStatusServico4.asmx',
    homologacao: 'hom.sefazvirtual.fazenda.gov.br/NFeStatusServico4/NFeStatusServico4.asmx',
  },
  'nfe-svrs': {
    producao: 'nfe.svrs.rs.gov.br/ws/NfeStatusServico/NfeStatusServico4.asmx',
    homologacao: 'nfe-homologacao.svrs.rs.gov.br/ws/NfeStatusServico/NfeStatusServico4.asmx',
  },
  'nfce-am': {
    producao: 'nfce.sefaz.am.gov.br/nfce-services/services/NfeStatusServico4',
    homologacao: 'homnfce.sefaz.am.gov.br/nfce-services/services/NfeStatusServico4',
  },
  'nfce-go': {
    producao: 'nfe.sefaz.go.gov.br/nfe/services/NFeStatusServico4',
    homologacao: 'homolog.sefaz.go.gov.br/nfe/services/NFeStatusServico4',
  },
  'nfce-mg': {
    producao: 'nfce.fazenda.mg.gov.br/nfce/services/NFeStatusServico4',
    homologacao: 'hnfce.fazenda.mg.gov.br/nfce/services/NFeStatusServico4',
  },
  'nfce-ms': {
    producao: 'nfce.sefaz.ms.gov.br/ws/NFeStatusServico4',
    homologacao: 'hom.nfce.sefaz.ms.gov.br/ws/NFeStatusServico4',
  },
  'nfce-mt': {
    producao: 'nfce.sefaz.mt.gov.br/nfcews/services/NfeStatusServico4',
    homologacao: 'homologacao.sefaz.mt.gov.br/nfcews/services/NfeStatusServico4',
  },
  'nfce-pr': {
    producao: 'nfce.sefa.pr.gov.br/nfce/NFeStatusServico4',
    homologacao: 'homologacao.nfce.sefa.pr.gov.br/nfce/NFeStatusServico4',
  },
  'nfce-rs': {
    producao: 'nfce.sefazrs.rs.gov.br/ws/NfeStatusServico/NfeStatusServico4.asmx',
    homologacao: 'nfce-homologacao.sefazrs.rs.gov.br/ws/NfeStatusServico/NfeStatusServico4.asmx',
  },
  'nfce-sp': {
    producao: 'nfce.fazenda.sp.gov.br/ws/NFeStatusServico4.asmx',
    homologacao: 'homologacao.nfce.fazenda.sp.gov.br/ws/NFeStatusServico4.asmx',
  },
  'nfce-svrs': {
    producao: 'nfce.svrs.rs.gov.br/ws/NfeStatusServico/NfeStatusServico4.asmx',
    homologacao: 'nfce-homologacao.svrs.rs.gov.br/ws/NfeStatusServico/NfeStatusServico4.asmx',
  },
  'cte-mg': {
    producao: 'cte.fazenda.mg.gov.br/cte/services/CTeStatusServicoV4',
    homologacao: 'hcte.fazenda.mg.gov.br/cte/services/CTeStatusServicoV4',
  },
  'cte-ms': {
    producao: 'producao.cte.ms.gov.br/ws/CTeStatusServicoV4',
    homologacao: 'homologacao.cte.ms.gov.br/ws/CTeStatusServicoV4',
  },
  'cte-mt': {
    producao: 'cte.sefaz.mt.gov.br/ctews2/services/CTeStatusServicoV4',
    homologacao: 'homologacao.sefaz.mt.gov.br/ctews2/services/CTeStatusServicoV4',
  },
  'cte-pr': {
    producao: 'cte.fazenda.pr.gov.br/cte4/CTeStatusServicoV4',
    homologacao: 'homologacao.cte.fazenda.pr.gov.br/cte4/CTeStatusServicoV4',
  },
  'cte-svrs': {
    producao: 'cte.svrs.rs.gov.br/ws/CTeStatusServicoV4/CTeStatusServicoV4.asmx',
    homologacao: 'cte-homologacao.svrs.rs.gov.br/ws/CTeStatusServicoV4/CTeStatusServicoV4.asmx',
  },
  'cte-svsp': {
    producao: 'nfe.fazenda.sp.gov.br/CTeWS/WS/CTeStatusServicoV4.asmx',
    homologacao: 'homologacao.nfe.fazenda.sp.gov.br/CTeWS/WS/CTeStatusServicoV4.asmx',
  },
}

export type MeiosDoStatus = {
  /** A door with a clock: without one no answer has its times. */
  http: Http
  certificado: ClientCertificate
  ambiente: 'producao' | 'homologacao'
  /** An answer that took as long, or longer, is a time-out. */
  limiteMs: number
}

export type StatusDoServico = {
  cStat: number
  xMotivo: string
  /** Undefined where the door has no clock. */
  tempos: Tempos | undefined
}

const EM_OPERACAO = 107

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

/** leiauteConsStatServ_v4.00.xsd; CT-e: consStatServTiposBasico_v4.00.xsd. Throws SourceError. */
export async function askStatus(
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

/** MOC 7.0 calls `cUF` the state that attended: services tell the one asked about (SVRS, 2024), or others. */
function contradicaoOf(answer: XmlNode, { tpAmb, uf, casa }: Perguntado): string | undefined {
  const told = textOf(answer, 'tpAmb')
  if (told !== '' && told !== tpAmb) return `respondeu por outro ambiente (tpAmb ${quoteOf(told)})`
  const other = estadoDoCodigo.get(textOf(answer, 'cUF'))
  return other === undefined || other === uf || other === casa
    ? undefined
    : `respondeu por outro estado (${other})`
}

export type MeiosDaSonda = MeiosDoStatus & { log: LogDaSonda }

export type LogDaSonda = {
  debug: (fields: object, message: string) => void
  info: (fields: object, message: string) => void
}

export type Sondagem = {
  leitura: LeituraSefaz
  /** The service itself; a refusal by whoever answered (page, fault, TLS alert); or nobody at all. */
  contato: 'servico' | 'recusa' | 'nenhum'
  /** The HTTP status of a refusal, where it has one: 403 asks for longer intervals. */
  http: number | undefined
}

/** A reading that knows nothing but whom it is of, and when. */
export const leituraVazia = (autorizador: string, em: number): Omit<LeituraSefaz, 'resultado'> => ({
  autorizador,
  em,
  conexaoMs: null,
  tlsMs: null,
  respostaMs: null,
  cStat: null,
  motivo: '',
  desmentida: null,
})

/** Every code but 107 is an error. Failures of the authority are readings, and it throws only our own. */
export async function probe(autorizador: Autorizador, em: number, meios: MeiosDaSonda): Promise<Sondagem> {
  const [uf] = autorizador.ufs
  if (!uf) throw new Error(`${autorizador.id} serves no state`)
  const asked = { source: sourceOf(autorizador).id, uf }
  const empty = leituraVazia(autorizador.id, em)
  try {
    const { cStat, xMotivo, tempos } = await askStatus(autorizador, uf, meios)
    const isUp = cStat === EM_OPERACAO
    const { log } = meios
    if (isUp) log.debug({ ...asked, ...tempos }, 'status service answered')
    else log.info({ ...asked, cStat, ...tempos }, 'status service is not in operation')
    const motivo = isUp ? '' : xMotivo || `cStat ${cStat}`
    const leitura = { ...empty, ...tempos, resultado: isUp ? 'resposta' : 'erro', cStat, motivo } as const
    return { leitura, contato: 'servico', http: undefined }
  } catch (error) {
    if (!(error instanceof SourceError)) throw error
    const { status: http, elapsedMs: ms } = error
    const isLate = error.kind === 'timeout' || ms >= meios.limiteMs
    const kind = isLate ? 'timeout' : error.kind
    const motivo = isLate ? `${autorizador.nome} não respondeu a tempo.` : error.message
    meios.log.info(
      { ...asked, kind, http, causa: codeOf(error.cause) || undefined, ms },
      'status probe failed',
    )
    const leitura = { ...empty, resultado: isLate ? 'timeout' : 'erro', motivo } as const
    return { leitura, contato: isAnswered(error) ? 'recusa' : 'nenhum', http }
  }
}

/** OpenSSL's and Node's names of a handshake that somebody took part in. */
const HANDSHAKE = /^(?:ERR_SSL_|ERR_TLS_|CERT_|UNABLE_TO_|DEPTH_ZERO_|SELF_SIGNED_)/

const isAnswered = ({ kind, status, cause }: SourceError): boolean =>
  status !== undefined || (kind !== 'timeout' && (kind !== 'network' || HANDSHAKE.test(codeOf(cause))))
