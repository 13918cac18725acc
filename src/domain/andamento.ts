import type { DesfechoDoEvento, Evento, Feito, Manifestacao, RespostaDaDistribuicao } from './nfe.ts'
import { inicioDoMes, mesesDepois } from './prazo.ts'

/** A call for one note, as far as it has come: all that decides its next step. */
export type Andamento = {
  /** Whether the caller authorizes the events. */
  manifestar: boolean
  /** Whether the certificate can sign one: only RSA keys can. */
  assina: boolean
  /** Whether the key says that the certificate's holder issued the note. */
  emitente: boolean
  /** The month in which the key says that the note was issued. */
  mes: { ano: number; mes: number }
  /** Days from the authorization within which each event is accepted. */
  prazos: Record<Evento, number>
  agora: Date
  /** What was done, in order. */
  feitos: readonly Feito[]
}

/** From this age on the Ciência, which the authority takes for 10 days, is not even tried (specification, step 3). */
const MESES_DA_CIENCIA = 2

/** The event was registered now (135, 136) or before (573), or another one that concludes stands in its place (655). */
const LIBERAM = ['135', '136', '573', '655']

type EventoFeito = Extract<Feito, { desfecho: DesfechoDoEvento }>

const isEvento = (feito: Feito): feito is EventoFeito => 'desfecho' in feito

/** The events that were sent, in order. */
export const eventosOf = ({ feitos }: Andamento): EventoFeito[] => feitos.filter(isEvento)

/** How often each kind of step was taken since the last event. */
export function sinceEvento({ feitos }: Andamento, passo: 'consulta' | 'portal'): number {
  return feitos.slice(feitos.findLastIndex(isEvento) + 1).filter((feito) => feito.passo === passo).length
}

/** The code that an event got; empty where it got none. */
export const codigoDe = (feito: EventoFeito | undefined): string =>
  feito?.desfecho.tipo === 'resposta' ? feito.desfecho.cStat : ''

/** The last answer of the national environment about the key. */
export const consultaOf = ({ feitos }: Andamento): RespostaDaDistribuicao | undefined =>
  feitos.findLast((feito) => feito.passo === 'consulta')?.resposta

/** Whether an event stands that releases the note. */
export const isReleased = (andamento: Andamento): boolean =>
  eventosOf(andamento).some((evento) => LIBERAM.includes(codigoDe(evento)))

/** Over two months since the authorization, by the calendar of Brasília. */
export const isOld = (andamento: Andamento): boolean =>
  mesesDepois(autorizacaoOf(andamento), MESES_DA_CIENCIA) < andamento.agora

/** When the note was authorized; where no summary said so, the latest that the key allows, which takes no note for older than it is. */
export function autorizacaoOf({ feitos, mes: { ano, mes } }: Andamento): Date {
  for (const feito of feitos)
    if (feito.passo === 'consulta' && feito.resposta.tipo === 'resumo') return feito.resposta.autorizacao
  return inicioDoMes(ano, mes + 1)
}

/** What the answer says of the last event that was sent: the specification, "`manifestacao` values"; null where none was. */
export function manifestacaoOf(andamento: Andamento): Manifestacao | null {
  const last = eventosOf(andamento).at(-1)
  if (!last) return isUnsigned(andamento) ? 'ciencia_nao_suportada' : null
  const { passo, desfecho } = last
  if (desfecho.tipo === 'falha') return `${passo}_erro`
  if (desfecho.cStat === '135' || desfecho.cStat === '136') return `${passo}_registrada`
  if (desfecho.cStat === '573') return `${passo}_ja_registrada`
  return passo === 'ciencia' && desfecho.cStat === '596' ? 'ciencia_fora_prazo' : `${passo}_rejeitada`
}

/** A limited certificate would have registered the Ciência before it went to the portal, and has no RSA key. */
const isUnsigned = (andamento: Andamento): boolean =>
  consultaOf(andamento)?.tipo === 'limitada' &&
  andamento.manifestar &&
  !andamento.assina &&
  !andamento.emitente &&
  !isOld(andamento)
