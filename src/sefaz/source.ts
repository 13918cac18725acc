import { type Uf, ufs, unidades } from '../documento/uf.ts'
import { quoteOf } from '../platform/texto.ts'
import type { ClientCertificate, Tempos } from '../platform/wire/dial.ts'
import { codeOf, type Source, SourceError } from '../platform/wire/fonte.ts'
import { DeadlineError, type Http, toSourceError } from '../platform/wire/http.ts'
import { callSoap, textOf, type XmlNode } from '../platform/wire/xml.ts'
import {
  type Ativacao,
  type Autorizador,
  autorizadorById,
  type Doc,
  type LeituraSefaz,
  svcOf,
} from './rules.ts'
import type { PerguntaDeSvc } from './rules-quadro.ts'
import { isUsoIndevido, type RodadaFeita } from './rules-rodada.ts'
import { enderecoOf } from './source-enderecos.ts'

export type MeiosDoStatus = {
  /** A door with a clock: without one no answer has its times. */
  http: Http
  certificado: ClientCertificate
  ambiente: 'producao' | 'homologacao'
  /** An answer that took as long, or longer, is a time-out. */
  limiteMs: number
}

type StatusDoServico = {
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
const sourceOf = ({ id, nome }: Pick<Autorizador, 'id' | 'nome'>): Source => ({ id: `BR/status/${id}`, nome })

/** leiauteConsStatServ_v4.00.xsd; CT-e: consStatServTiposBasico_v4.00.xsd. Throws SourceError. */
async function askStatus(
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
  const told = readStatus(reply.answer)
  // The current schema allows three or four digits.
  if (!/^\d{3,4}$/.test(told.cStat)) throw misread('não disse o código do serviço')
  const status = { cStat: Number(told.cStat), xMotivo: told.xMotivo, tempos }
  const why = status.cStat === EM_OPERACAO && contradicaoOf(told, { tpAmb, uf, casa: autorizador.casa })
  if (why) throw misread(why)
  return status
}

type Dito = { cStat: string; xMotivo: string; tpAmb: string; cUF: string }

const readStatus = (answer: XmlNode): Dito => ({
  cStat: textOf(answer, 'cStat'),
  xMotivo: quoteOf(textOf(answer, 'xMotivo')),
  tpAmb: textOf(answer, 'tpAmb'),
  cUF: textOf(answer, 'cUF'),
})

type Perguntado = { tpAmb: string; uf: Uf; casa: Autorizador['casa'] }

const estadoDoCodigo = new Map(ufs.map((uf) => [unidades[uf].codigo, uf]))

/** MOC 7.0 calls `cUF` the state that attended: services tell the one asked about (SVRS, 2024), or others. */
function contradicaoOf(told: Dito, { tpAmb, uf, casa }: Perguntado): string | undefined {
  if (told.tpAmb !== '' && told.tpAmb !== tpAmb)
    return `respondeu por outro ambiente (tpAmb ${quoteOf(told.tpAmb)})`
  const other = estadoDoCodigo.get(told.cUF)
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

/** What an SVC says of a state (MOC 7.0, Anexo I: 113 being deactivated, 114 deactivated by the state). */
const ativacoes: ReadonlyMap<number, Ativacao['estado']> = new Map([
  [107, 'ativada'],
  [113, 'encerrando'],
  [114, 'desativada'],
])

/** `em`: the answer is kept under it. Throws SourceError where the SVC says nothing about the state. */
export async function askAtivacao(
  doc: 'nfe' | 'cte',
  uf: Uf,
  em: number,
  meios: MeiosDoStatus,
): Promise<Ativacao> {
  const svc = svcOf(doc, uf)
  const at = svc && autorizadorById(svc.autorizador)
  if (!at) throw new Error(`${uf} has no SVC for ${doc}`)
  const asked = { ...at, nome: svc.nome }
  const { cStat, xMotivo, tempos } = await askStatus(asked, uf, meios)
  const estado = ativacoes.get(cStat)
  if (estado) return { estado, em }
  const { id: source, nome } = sourceOf(asked)
  throw new SourceError('http', `${nome} respondeu "${xMotivo}" (cStat ${cStat}).`, {
    source,
    elapsedMs: tempos?.respostaMs ?? 0,
    codigo: `cStat ${cStat}`,
    unavailable: false,
  })
}

type Respostas = { respostas: RodadaFeita['ativacoes']; recusaram: ReadonlySet<string> }

/** Asks SVCs whether states have activated them. What an SVC leaves open stays as it was known. */
export async function askSvcs(
  meios: MeiosDaSonda | undefined,
  perguntas: readonly PerguntaDeSvc[],
  em: number,
): Promise<Respostas> {
  const recusaram = new Set<string>()
  if (!meios) return { respostas: [], recusaram }
  const respostas = await Promise.all(
    perguntas.map(async ({ doc, uf, svc }) => {
      try {
        return [{ doc, uf, ...(await askAtivacao(doc, uf, em, meios)) }]
      } catch (error) {
        if (!(error instanceof SourceError)) throw error
        if (isUsoIndevido({ cStat: Number(error.codigo?.replace('cStat ', '')) }))
          recusaram.add(svc.autorizador)
        return []
      }
    }),
  )
  return { respostas: respostas.flat(), recusaram }
}
