import type { Interessado } from '../certificado.ts'
import type { DesfechoDoEvento, Evento, Feito, Manifestacao, RespostaDaDistribuicao } from './nfe.ts'
import { fimDoPrazo, inicioDoMes, mesesDepois, noPrazo } from './prazo.ts'

/** A call for one note, as far as it has come: all that decides its next step. */
export type Andamento = {
  /** Whether the caller authorizes the events. */
  manifestar: boolean
  /** Whether the certificate can sign one: only RSA keys can. */
  assina: boolean
  /** In whose name the note is asked for. */
  interessado: Pick<Interessado, 'tipo' | 'documento'>
  /** Whether the key says that it was issued in that name. */
  emitente: boolean
  /**
   * Whether the issuer in the key is another establishment of the holder's company: then its name may be
   * tried too.
   */
  outroEmitente: boolean
  /** Whether the key, or the CNPJ in whose name it is asked for, has letters. */
  letras: boolean
  /** The month in which the key says that the note was issued. */
  mes: { ano: number; mes: number }
  /** Days from the authorization within which each event is accepted. */
  prazos: Record<Evento, number>
  agora: Date
  /** What was done, in order; of a call that was interrupted, only its events. */
  feitos: readonly Feito[]
}

/** From this age on the Ciência, which the authority takes for 10 days, is not even tried (specification, step 3). */
const MESES_DA_CIENCIA = 2

/** A note is authorized within so many days of its issue (MOC 7.0, Anexo I, rule of 228). */
const DIAS_ATE_AUTORIZAR = 30

/** The event was registered now. */
const REGISTRADA = ['135', '136']

/** The event was registered before. */
const JA_REGISTRADA = '573'

/** The event stands, or another one that concludes stands in its place (655). */
const LIBERAM = [...REGISTRADA, JA_REGISTRADA, '655']

export type EventoFeito = Extract<Feito, { desfecho: DesfechoDoEvento }>

const isEvento = (feito: Feito): feito is EventoFeito => 'desfecho' in feito

/** The events that were sent, in order. */
export const eventosOf = ({ feitos }: Pick<Andamento, 'feitos'>): EventoFeito[] => feitos.filter(isEvento)

/** The code that an event got; empty where it got none. */
export const codigoDe = (feito: EventoFeito | undefined): string =>
  feito?.desfecho.tipo === 'resposta' ? feito.desfecho.cStat : ''

/** The code that this event got when it was last sent; empty where it was not sent, or not answered. */
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

/** Whether this event stands, as far as is known: one that got no answer may. */
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

/** Whether the query was repeated in the issuer's name: then the result before it does not count. */
export const isRefeita = (feitos: readonly Feito[], at: number): boolean =>
  feitos[at]?.passo === 'consulta' &&
  feitos.slice(at + 1).some((feito) => feito.passo === 'consulta' && feito.comoEmitente)

/** When the note was authorized, to the second, where a summary said so. */
export function autorizacaoOf({ feitos }: Andamento): Date | undefined {
  for (const feito of feitos)
    if (feito.passo === 'consulta' && feito.resposta.tipo === 'resumo') return feito.resposta.autorizacao
  return undefined
}

/**
 * Whether the note is over two months old, by the calendar of Brasília: by its authorization, else by the latest one that
 * its key allows. 632 says as much: the national environment keeps a note for 90 days (NT 2014.002 v1.21, 3.11).
 */
export function isOld(andamento: Andamento): boolean {
  if (respostaDaConsulta(andamento)?.tipo === 'fora-prazo') return true
  const { ano, mes } = andamento.mes
  const autorizacao = autorizacaoOf(andamento) ?? fimDoPrazo(inicioDoMes(ano, mes + 1), DIAS_ATE_AUTORIZAR)
  return mesesDepois(autorizacao, MESES_DA_CIENCIA) < andamento.agora
}

/** Whether an event is surely within its window: by the authorization, else by the earliest one that the key allows. */
export function isInWindow(andamento: Andamento, evento: Evento): boolean {
  const { mes, prazos, agora } = andamento
  return noPrazo(autorizacaoOf(andamento) ?? inicioDoMes(mes.ano, mes.mes), prazos[evento], agora)
}

/** What the answer says of the last event that was sent: the specification, "`manifestacao` values"; null where none was. */
export function manifestacaoOf(andamento: Andamento): Manifestacao | null {
  const last = eventosOf(andamento).at(-1)
  if (!last) return isUnsigned(andamento) ? 'ciencia_nao_suportada' : null
  const { passo, desfecho } = last
  if (desfecho.tipo === 'falha') return `${passo}_erro`
  if (REGISTRADA.includes(desfecho.cStat)) return `${passo}_registrada`
  if (desfecho.cStat === JA_REGISTRADA) return `${passo}_ja_registrada`
  return passo === 'ciencia' && desfecho.cStat === '596' ? 'ciencia_fora_prazo' : `${passo}_rejeitada`
}

/** Whether the Ciência is to be registered, as far as it depends on who asks and on the note's age. */
export const wantsCiencia = (andamento: Andamento): boolean =>
  andamento.manifestar && !isEmitente(andamento) && !isOld(andamento)

/** A limited certificate would have registered the Ciência before it went to the portal, and has no RSA key. */
const isUnsigned = (andamento: Andamento): boolean =>
  respostaDaConsulta(andamento)?.tipo === 'limitada' && !andamento.assina && wantsCiencia(andamento)
