import { isMesmaEmpresa } from '../documento/documento.ts'
import { ApiError } from '../platform/errors.ts'
import {
  type A1,
  CertificadoError,
  checkValidade,
  type Interessado,
  type Titular,
} from '../platform/wire/certificado.ts'
import { readPfx } from '../platform/wire/pfx.ts'
import type { TurnRequest } from '../platform/wire/threads.ts'
import { openTransport } from '../platform/wire/transport.ts'
import type { NfeRoom } from './nfe.ts'
import { type PerguntaDaNota, take, type Visit } from './passo.ts'
import type { Feito } from './rules.ts'
import {
  type Andamento,
  type DesfechoDaNota,
  type EventoFeito,
  eventosOf,
  type Fim,
  type Passo,
  proximoPasso,
  xmlOf,
} from './rules-manifestacao.ts'
import { type ResultadoDaNota, resultadoDoFluxo, resultadoOf } from './rules-resultado.ts'
import { forecastEvento, resultadoDaSimulacao } from './rules-simulacao.ts'
import { readNfeProc } from './source-documento.ts'
import type { Orcamento } from './store.ts'

export type Nota = {
  resultado: ResultadoDaNota
  esperaS: number | undefined
  /** When an authority last answered, or gave the note that was kept: ISO 8601 UTC. Empty if none did. */
  consultado_em: string
}

export const ESPERA_S = 60
/** A client that repeats so for an hour keeps within the 20 queries that SEFAZ allows. */
const A_CAMINHO_S = 5 * 60

export type Retomada = {
  /** The events of a call with the same Idempotency-Key that was interrupted. */
  eventos: readonly EventoFeito[]
  /** Called as soon as the outcome of an event is known. The flow waits for it. */
  note: (eventos: readonly EventoFeito[]) => Promise<unknown>
}

/** Equal calls share one flow; another certificate of the same holder never does: it may be forged. */
export async function findNota(pergunta: PerguntaDaNota, retomada: Retomada, room: NfeRoom): Promise<Nota> {
  const { chave, certificado, interessado, escolhido, manifestar } = pergunta
  const loadMs = Math.max(0, pergunta.ends - performance.now())
  // The events of an interrupted call are told by the call that resumes it, and by no other.
  if (retomada.eventos.length > 0) return ask(pergunta, retomada, room)
  // This key stores nothing. The note itself is kept by its access key, for all of its participants.
  const nome = escolhido ? interessado.documento : ''
  const key = `nfe-fluxo/2:${chave.chave}:${certificado.impressao}:${nome}:${manifestar}`
  const { value } = await room.cache.through<Nota>({ key, ttlMs: 0, loadMs }, async () => {
    return (await findKept(pergunta, room)) ?? ask(pergunta, retomada, room)
  })
  return value
}

async function ask(pergunta: PerguntaDaNota, retomada: Retomada, room: NfeRoom): Promise<Nota> {
  const { chave } = pergunta
  const fim = await retrieve(pergunta, retomada, room)
  const consultado_em = instantOf(fim.andamento.feitos.slice(retomada.eventos.length), room)
  const limitadaAte = await findLimite(pergunta, fim.andamento, room)
  await remember(pergunta, fim.andamento, room)
  const resultado = resultadoDoFluxo(chave, fim, limitadaAte)
  if (!fim.desfecho.mayRetry) return { resultado, esperaS: undefined, consultado_em }
  const limitedMs = limitadaAte ? limitadaAte.getTime() - room.now().getTime() : 0
  const leastS = fim.desfecho.motivo === 'nao-encontrada' ? A_CAMINHO_S : ESPERA_S
  return { resultado, esperaS: Math.max(leastS, Math.ceil(limitedMs / 1000)), consultado_em }
}

/** Failures of authorities are steps too. Throws only our own, and none after an event was sent. */
async function retrieve(pergunta: PerguntaDaNota, retomada: Retomada, room: NfeRoom): Promise<Fim> {
  const feitos: Feito[] = [...retomada.eventos]
  const visit = openVisit(pergunta, room)
  try {
    for (;;) {
      const andamento = andamentoOf(pergunta, feitos, room)
      const passo = proximoPasso(andamento)
      if (passo.tipo === 'responder') return { andamento, desfecho: passo }
      const feito = await take(passo, visit).catch((error) => failedAfter(passo, feitos, error, visit))
      feitos.push(feito)
      if ('desfecho' in feito) await noteEventos(eventosOf({ feitos }), retomada, visit)
    }
  } finally {
    await visit.http.close()
  }
}

function openVisit(pergunta: PerguntaDaNota, room: NfeRoom): Visit {
  const { impressao, key, cert } = pergunta.certificado
  const http = openTransport(room.dial, { certificate: { impressao, key, cert } })
  return { ...pergunta, http, room }
}

function andamentoOf(
  { chave, certificado, interessado, escolhido, manifestar }: PerguntaDaNota,
  feitos: readonly Feito[],
  { config, now }: NfeRoom,
): Andamento {
  return {
    manifestar,
    canSign: certificado.chave.startsWith('RSA'),
    interessado,
    emitente: chave.emitente.documento === interessado.documento,
    outroEmitente: !escolhido && isMesmaEmpresa(chave.emitente.documento, interessado.documento),
    letras: /[A-Z]/.test(chave.chave + interessado.documento),
    mes: { ano: chave.ano, mes: chave.mes },
    prazos: { ciencia: config.NFE_CIENCIA_DIAS, confirmacao: config.NFE_CONFIRMACAO_DIAS },
    agora: now(),
    feitos,
  }
}

/** The fate of an event must be told. Throws where no event was sent. */
function failedAfter(
  { tipo }: Exclude<Passo, DesfechoDaNota>,
  feitos: readonly Feito[],
  err: unknown,
  { request_id, room }: Visit,
): Feito {
  const isEvento = tipo === 'ciencia' || tipo === 'confirmacao'
  if (!isEvento && eventosOf({ feitos }).length === 0) throw err
  room.log.error({ err, request_id }, 'a step failed after an event')
  const falha = { tipo: 'falha', mensagem: 'Ocorreu um erro inesperado no serviço.' } as const
  if (isEvento) return { passo: tipo, desfecho: falha }
  return { passo: 'consulta', resposta: falha }
}

/** A failure is only logged: the answer must reach the client all the same. */
async function noteEventos(
  eventos: readonly EventoFeito[],
  { note }: Retomada,
  { request_id, room }: Visit,
): Promise<void> {
  try {
    await note(eventos)
  } catch (err) {
    room.log.error({ err, request_id }, 'an event could not be written down')
  }
}

const instantOf = (feitos: readonly Feito[], { now }: NfeRoom): string =>
  feitos.some(isAnswered) ? now().toISOString() : ''

/** Whether an authority answered a step. A limit that was known before was asked of nobody. */
function isAnswered(feito: Feito): boolean {
  if ('desfecho' in feito) return feito.desfecho.tipo === 'resposta'
  const { resposta } = feito
  if (resposta.tipo === 'limitada') return resposta.cStat !== ''
  return resposta.tipo !== 'falha' && resposta.tipo !== 'indisponivel'
}

async function findLimite(
  { chave, interessado, request_id }: PerguntaDaNota,
  { feitos }: Andamento,
  room: NfeRoom,
): Promise<Date | undefined> {
  const refeita = feitos.some((feito) => feito.passo === 'consulta' && feito.comoEmitente)
  const { documento } = refeita ? chave.emitente : interessado
  const orcamento = await findOrcamento({ documento, request_id }, room)
  return orcamento?.restantes === 0 ? orcamento.renewsAt : undefined
}

/** Undefined if it cannot be read: after an event the answer must go out all the same. */
export async function findOrcamento(
  { documento, request_id }: { documento: string; request_id: string },
  { consumo, log }: NfeRoom,
): Promise<Orcamento | undefined> {
  try {
    return await consumo.look(documento)
  } catch (err) {
    log.error({ err, request_id }, 'a budget of queries could not be read')
    return undefined
  }
}

/** The kept note. Only a participant gets it, with a certificate that an authority has taken for genuine. */
async function findKept({ chave, certificado }: PerguntaDaNota, room: NfeRoom): Promise<Nota | undefined> {
  const kept = await room.xmls.find(chave.chave)
  if (!kept || !maySee(certificado.titular, kept.xml, chave.chave)) return undefined
  if (!(await room.reconhecidos.has(certificado.impressao))) return undefined
  const mensagem = 'XML já obtido nas últimas 24 horas; nenhum evento foi enviado agora.'
  const found = { status: 'ok', cstat: '138', mensagem, from_cache: true, xml: kept.xml } as const
  return { resultado: resultadoOf(chave.chave, found), esperaS: undefined, consultado_em: kept.since }
}

/** Before the next caller's turn. The authorities give a note to a genuine certificate alone. */
async function remember(
  { chave, certificado }: PerguntaDaNota,
  { feitos }: Andamento,
  { xmls, reconhecidos }: NfeRoom,
): Promise<void> {
  const xml = xmlOf(feitos)
  const isGenuine = feitos.some(
    (feito) => 'resposta' in feito && (feito.resposta.tipo === 'xml' || feito.resposta.tipo === 'resumo'),
  )
  await Promise.all([
    isGenuine ? reconhecidos.keep(certificado.impressao) : undefined,
    xml === null ? undefined : xmls.keep(chave.chave, xml),
  ])
}

function maySee(titular: Titular, xml: string, chave: string): boolean {
  const note = readNfeProc(xml, chave)
  return note.ok && isParticipante(titular, note.participantes)
}

const isParticipante = ({ tipo, documento }: Titular, participantes: readonly string[]): boolean =>
  participantes.some((participante) =>
    tipo === 'cpf' ? participante === documento : isMesmaEmpresa(participante, documento),
  )

export async function simulate(pergunta: PerguntaDaNota, room: NfeRoom): Promise<Nota> {
  const andamento = await look(pergunta, room)
  const consultado_em = instantOf(andamento.feitos, room)
  // The call that follows need not ask again.
  await remember(pergunta, andamento, room)
  const previsao = forecastEvento(andamento, await findLimite(pergunta, andamento, room))
  return { resultado: resultadoDaSimulacao(pergunta.chave, previsao), esperaS: undefined, consultado_em }
}

async function look(pergunta: PerguntaDaNota, room: NfeRoom): Promise<Andamento> {
  const visit = openVisit(pergunta, room)
  const feitos: Feito[] = []
  try {
    for (;;) {
      const andamento = andamentoOf(pergunta, feitos, room)
      const passo = proximoPasso(andamento)
      if (passo.tipo !== 'consultar') return andamento
      feitos.push(await take(passo, visit))
    }
  } finally {
    await visit.http.close()
  }
}

type Enviado = { certificado: string; senha: string }

/** The caller wipes `key`. Throws CERTIFICADO_INVALIDO, QueueFull, or the reason of `turn.signal`. */
export async function openCertificado(enviado: Enviado, turn: TurnRequest, now: () => Date): Promise<A1> {
  try {
    return await open(enviado, turn, now)
  } catch (error) {
    if (!(error instanceof CertificadoError)) throw error
    throw refused(error.message, error.motivo === 'senha' ? 'senha' : 'certificado')
  }
}

async function open({ certificado, senha }: Enviado, turn: TurnRequest, now: () => Date): Promise<A1> {
  const pfx = decode(certificado)
  try {
    const a1 = await readPfx(pfx, senha, turn)
    try {
      checkValidade(a1, now())
    } catch (error) {
      a1.key.fill(0)
      throw error
    }
    return a1
  } finally {
    pfx.fill(0)
  }
}

/** Throws CERTIFICADO_INVALIDO if the certificate is a person's or another company's. */
export function chooseInteressado(titular: Titular, cnpj: string | undefined): Interessado {
  if (cnpj === undefined || cnpj === titular.documento) return titular
  if (titular.tipo === 'cpf')
    throw refused(
      'O certificado é de uma pessoa (e-CPF) e não consulta em nome de um CNPJ. Tire o campo cnpj, ou envie um e-CNPJ da empresa.',
      'cnpj',
    )
  if (!isMesmaEmpresa(cnpj, titular.documento))
    throw refused(
      `O certificado é do CNPJ ${titular.documento}, e o campo cnpj é de outra empresa: os 8 primeiros caracteres têm de ser os mesmos. Envie o certificado dessa empresa, ou tire o campo cnpj.`,
      'cnpj',
    )
  return { tipo: 'cnpj', documento: cnpj }
}

const PEM = 'O certificado está em PEM; envie o arquivo .pfx ou .p12, que traz também a chave privada.'
const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/

/** Common mistakes (PEM, data URL, base64url) are refused by name. */
function decode(text: string): Buffer {
  if (text.includes('-----BEGIN')) throw refused(PEM)
  if (/^\s*data:/i.test(text))
    throw refused(
      'O certificado veio com o prefixo "data:...;base64,". Envie só o que vem depois da vírgula.',
    )
  const plain = text.replace(/\s+/g, '')
  const isWhole = plain.length % 4 !== 1 && !/=.?$/.test(plain.slice(0, -2))
  if (BASE64.test(plain) && isWhole) {
    const file = Buffer.from(plain, 'base64')
    if (file.subarray(0, 10).equals(Buffer.from('-----BEGIN'))) throw refused(PEM)
    return file
  }
  throw refused(
    /^[\w-]+={0,2}$/.test(plain) && /[-_]/.test(plain)
      ? 'O certificado está em base64url. Codifique em base64 comum, com + e / no lugar de - e _.'
      : 'O certificado não está em base64. Codifique em base64 o arquivo .pfx ou .p12 inteiro.',
  )
}

function refused(message: string, parameter: keyof Enviado | 'cnpj' = 'certificado'): ApiError {
  return new ApiError('CERTIFICADO_INVALIDO', message, { errors: [{ parameter, reason: message }] })
}
