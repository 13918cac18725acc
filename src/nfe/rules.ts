import type { Interessado } from '../platform/wire/certificado.ts'
import type { DesfechoDoEvento, Evento, Feito, Manifestacao, RespostaDaDistribuicao } from './nfe.ts'
import { fimDoPrazo, inicioDoMes, mesesDepois, noPrazo } from './prazo.ts'

/** The state of a call for one note: all that decides its next step. */
export type Andamento = {
  /** Whether the caller authorizes the events. */
  manifestar: boolean
  /** Whether the certificate can sign an event. Only RSA keys can. */
  assina: boolean
  /** The party in whose name the note is asked for. */
  interessado: Pick<Interessado, 'tipo' | 'documento'>
  /** Whether the key names that party as the issuer. */
  emitente: boolean
  /**
   * Whether the key's issuer is another establishment of the holder's company. Then its name may be tried
   * too.
   */
  outroEmitente: boolean
  /** Whether the key, or the CNPJ in whose name it is asked for, has letters. */
  letras: boolean
  /** The month of issue, by the key. */
  mes: { ano: number; mes: number }
  /** The days from the authorization within which each event is accepted. */
  prazos: Record<Evento, number>
  agora: Date
  /** What was done, in order. Of an interrupted call only its events are known. */
  feitos: readonly Feito[]
}

/**
 * A note of this age or older gets no Ciência: the authority takes it for 10 days only (specification, step
 * 3).
 */
const MESES_DA_CIENCIA = 2

/** A note is authorized within so many days of its issue (MOC 7.0, Anexo I, rule of 228). */
const DIAS_ATE_AUTORIZAR = 30

/** The event was registered now. */
const REGISTRADA = ['135', '136']

/** The event was registered before. */
const JA_REGISTRADA = '573'

/** The event stands, or (655) another concluding event stands in its place. */
const LIBERAM = [...REGISTRADA, JA_REGISTRADA, '655']

export type EventoFeito = Extract<Feito, { desfecho: DesfechoDoEvento }>

const isEvento = (feito: Feito): feito is EventoFeito => 'desfecho' in feito

/** The events that were sent, in order. */
export const eventosOf = ({ feitos }: Pick<Andamento, 'feitos'>): EventoFeito[] => feitos.filter(isEvento)

/** The code of an event's answer. Empty if it got none. */
export const codigoDe = (feito: EventoFeito | undefined): string =>
  feito?.desfecho.tipo === 'resposta' ? feito.desfecho.cStat : ''

/** The code of this event's last answer. Empty if it was not sent, or not answered. */
export const codigoOf = (andamento: Andamento, evento: Evento): string =>
  codigoDe(eventosOf(andamento).findLast(({ passo }) => passo === evento))

/** How often the note was looked for since the last event. */
export const consultasSinceEvento = ({ feitos }: Andamento): number =>
  feitos.slice(feitos.findLastIndex(isEvento) + 1).filter(({ passo }) => passo === 'consulta').length

/** The last answer of the national environment about the key. */
export const respostaDaConsulta = ({ feitos }: Andamento): RespostaDaDistribuicao | undefined =>
  feitos.findLast((feito) => feito.passo === 'consulta')?.resposta

/** Whether this event stands, registered by this call or before it. */
export const isRegistrado = (evento: EventoFeito): boolean =>
  [...REGISTRADA, JA_REGISTRADA].includes(codigoDe(evento))

/** Whether this event may stand. One that got no answer may. */
export const mayStand = (evento: EventoFeito): boolean =>
  evento.desfecho.tipo === 'falha' ? !evento.desfecho.semEfeito : isRegistrado(evento)

/** Whether an event with this code releases the note. */
export const isLiberado = (cStat: string): boolean => LIBERAM.includes(cStat)

/** Whether an event stands that releases the note. */
export const isReleased = (andamento: Andamento): boolean =>
  eventosOf(andamento).some((evento) => isLiberado(codigoDe(evento)))

/** Whether the last query was in the issuer's name. The issuer is no recipient, so it never manifests. */
export const isEmitente = ({ emitente, feitos }: Andamento): boolean =>
  emitente || feitos.some((feito) => feito.passo === 'consulta' && feito.comoEmitente)

/** Whether the query was repeated in the issuer's name. Then the result before it does not count. */
export const isRefeita = (feitos: readonly Feito[], at: number): boolean =>
  feitos[at]?.passo === 'consulta' &&
  feitos.slice(at + 1).some((feito) => feito.passo === 'consulta' && feito.comoEmitente)

/** The instant of the authorization, to the second, if a summary told it. */
export function autorizacaoOf({ feitos }: Andamento): Date | undefined {
  for (const feito of feitos)
    if (feito.passo === 'consulta' && feito.resposta.tipo === 'resumo') return feito.resposta.autorizacao
  return undefined
}

/**
 * Whether the note is over two months old, by the calendar of Brasília: from its authorization, else from the
 * latest one that its key allows. 632 means as much: the national environment keeps a note for 90 days (NT
 * 2014.002 v1.21, 3.11).
 */
export function isOld(andamento: Andamento): boolean {
  if (respostaDaConsulta(andamento)?.tipo === 'fora-prazo') return true
  const { ano, mes } = andamento.mes
  const autorizacao = autorizacaoOf(andamento) ?? fimDoPrazo(inicioDoMes(ano, mes + 1), DIAS_ATE_AUTORIZAR)
  return mesesDepois(autorizacao, MESES_DA_CIENCIA) < andamento.agora
}

/** Whether the note may have been authorized just now, by the month of its key. */
export const isRecent = ({ mes, agora }: Andamento): boolean =>
  noPrazo(inicioDoMes(mes.ano, mes.mes + 1), DIAS_ATE_AUTORIZAR, agora)

/**
 * Whether an event is surely within its window: from the authorization, else from the earliest one that the
 * key allows.
 */
export function isInWindow(andamento: Andamento, evento: Evento): boolean {
  const { mes, prazos, agora } = andamento
  return noPrazo(autorizacaoOf(andamento) ?? inicioDoMes(mes.ano, mes.mes), prazos[evento], agora)
}

/** What the answer says of the last event (specification, "`manifestacao` values"). Null if none was sent. */
export function manifestacaoOf(andamento: Andamento): Manifestacao | null {
  const last = eventosOf(andamento).at(-1)
  if (!last) return isUnsigned(andamento) ? 'ciencia_nao_suportada' : null
  const { passo, desfecho } = last
  if (desfecho.tipo === 'falha') return `${passo}_erro`
  if (REGISTRADA.includes(desfecho.cStat)) return `${passo}_registrada`
  if (desfecho.cStat === JA_REGISTRADA) return `${passo}_ja_registrada`
  return passo === 'ciencia' && desfecho.cStat === '596' ? 'ciencia_fora_prazo' : `${passo}_rejeitada`
}

/** Whether the Ciência may be registered, by the caller's wish and the note's age. */
export const wantsCiencia = (andamento: Andamento): boolean =>
  andamento.manifestar && !isEmitente(andamento) && !isOld(andamento)

/**
 * Whether a limited certificate lacks the RSA key. It would have registered the Ciência before it asked the
 * portal.
 */
const isUnsigned = (andamento: Andamento): boolean =>
  respostaDaConsulta(andamento)?.tipo === 'limitada' && !andamento.assina && wantsCiencia(andamento)
