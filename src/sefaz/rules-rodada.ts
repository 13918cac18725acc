import type { Uf } from '../documento/uf.ts'
import {
  type Ativacao,
  type Autorizador,
  autorizadorById,
  autorizadores,
  type Casa,
  type ChamadasProprias,
  checkPalavra,
  type Doc,
  isFalha,
  isRecusada,
  type LeituraSefaz,
  type Situacao,
} from './rules.ts'

/** A fall of one authorizer inside an incident. Instants are in milliseconds since 1970. */
export type Queda = {
  autorizador: string
  inicio: number
  /** The first good round after it, or when it was too long unknown whether it lasts; null while it does. */
  fim: number | null
  /** The last failure: the authority's code or null, and its words. */
  cStat: number | null
  motivo: string
}

export type Incidente = {
  id: string
  casa: Casa
  inicio: number
  fim: number | null
  quedas: readonly Queda[]
}

/** So many rounds in a row make a fall, and a return. */
const RODADAS_PARA_CRER = 3

/** What falls again within this time after the end goes on as the same incident. */
export const REABRE_MS = 3 * 60 * 60_000

/** All lists have the newest first. `conhecidos`: the incidents that are open, or that a fall may reopen. */
export function advance(
  recentes: ReadonlyMap<string, readonly LeituraSefaz[]>,
  conhecidos: readonly Incidente[],
  agora: Agora,
): Incidente[] {
  const casas = new Set(autorizadores.map(({ casa }) => casa))
  return [...casas].flatMap((casa) => {
    const known = conhecidos.find((one) => one.casa === casa)
    const changed = advanceCasa(
      autorizadores.filter((one) => one.casa === casa),
      { ...agora, recentes, known },
    )
    return changed ? [changed] : []
  })
}

type Agora = {
  em: number
  /** The authorizers (by id) of which too long nothing was known to say that a fall lasts. */
  calados: ReadonlySet<string>
  newId: () => string
}

type DaCasa = Agora & { recentes: ReadonlyMap<string, readonly LeituraSefaz[]>; known: Incidente | undefined }

function advanceCasa(own: readonly Autorizador[], now: DaCasa): Incidente | undefined {
  const { recentes, known, em, calados, newId } = now
  const quedas = [...(known?.quedas ?? [])]
  const novas: Queda[] = []
  let changed = false
  for (const { id } of own) {
    const last = (recentes.get(id) ?? []).slice(0, RODADAS_PARA_CRER)
    const at = quedas.findIndex(({ autorizador, fim }) => autorizador === id && fim === null)
    const open = quedas[at]
    const forgotten = open && calados.has(id) && { ...open, fim: em }
    const next = forgotten || (open ? goOn(open, last) : beginOf(id, last))
    if (!next) continue
    if (open) quedas[at] = next
    else novas.push(next)
    changed = true
  }
  if (!changed) return undefined
  const goesOn = known && reopens(known, novas)
  const all = goesOn ? [...quedas, ...novas] : novas
  const ends = all.map(({ fim }) => fim)
  const isOver = ends.every((fim) => fim !== null)
  return {
    id: goesOn ? known.id : newId(),
    casa: own[0]?.casa ?? 'SERPRO',
    inicio: Math.min(...all.map(({ inicio }) => inicio)),
    fim: isOver ? Math.max(...ends.map(Number)) : null,
    quedas: all,
  }
}

const reopens = ({ fim }: Incidente, novas: readonly Queda[]): boolean =>
  fim === null || novas.some(({ inicio }) => inicio - fim <= REABRE_MS)

function beginOf(autorizador: string, last: readonly LeituraSefaz[]): Queda | undefined {
  const [newest] = last
  const oldest = last.at(-1)
  if (!newest || !oldest || last.length < RODADAS_PARA_CRER || !last.every(isFalha)) return undefined
  const { cStat, motivo } = newest
  return { autorizador, inicio: oldest.em, fim: null, cStat, motivo }
}

function goOn(open: Queda, last: readonly LeituraSefaz[]): Queda | undefined {
  const [newest] = last
  const oldest = last.at(-1)
  if (!newest || !oldest || last.length < RODADAS_PARA_CRER) return undefined
  if (!last.some(isFalha)) return { ...open, fim: oldest.em }
  const { cStat, motivo } = newest
  const isNews = isFalha(newest) && (cStat !== open.cStat || motivo !== open.motivo)
  return isNews ? { ...open, cStat, motivo } : undefined
}

/** A round: one question to each authorizer. Instants are in milliseconds since 1970. */
export type Rodada = {
  /** When it began: its name. */
  em: number
  /** When it ended, with all answers in. */
  fim: number
  /** Who was asked: the status services, or the public pages where we have no certificate. */
  fonte: 'servicos' | 'paginas'
  /** No service answered. It may be our own network or certificate: no history and no incident counts it. */
  semRede: boolean
}

/** How often an authorizer is asked that asked for less. */
export type RitmoDaSonda = {
  autorizador: string
  proxima: number
  /** How many intervals lie between two questions. */
  fator: number
  motivo: string
}

/** All that a round leaves behind. */
export type RodadaFeita = {
  rodada: Rodada
  leituras: readonly LeituraSefaz[]
  incidentes: readonly Incidente[]
  ritmos: readonly RitmoDaSonda[]
  ativacoes: readonly (Ativacao & { doc: 'nfe' | 'cte'; uf: Uf })[]
}

export type Quadro = {
  rodada: Rodada
  /** The last round in which a service answered, which tells how the states stand; undefined if none did. */
  lida: Rodada | undefined
  situacoes: Readonly<Record<Doc, ReadonlyMap<Uf, Situacao>>>
  /** No round has ended in the last 10 minutes, nor when it should have: the monitor itself is down. */
  parado: boolean
  /** The authorizers that we leave alone, whose last reading stands meanwhile. */
  pausas: readonly Pausa[]
  /** The first instant at which time alone makes this board another one. */
  valeAte: number
  abertos: readonly Incidente[]
  ativacaoDe: (doc: Doc, uf: Uf) => Ativacao | undefined
}

export type Pausa = {
  autorizador: Autorizador
  /** Whether it refused us by its code (656, 678); false where it only is asked less often. */
  isRecusa: boolean
  ate: number
  /** When the reading that stands was made; undefined where there is none. */
  lida: number | undefined
}

export type PassadoSefaz = { dias: readonly DiaSefaz[]; incidentes: readonly Incidente[] }

/** A day of an authorizer. What is counted, and what is not, `countDia` says. */
export type DiaSefaz = {
  autorizador: string
  dia: string
  leituras: number
  erros: number
  timeouts: number
  /** The time of each answer in milliseconds, in ascending order. */
  tempos: Uint16Array
  /** The authority said that it works, and of our own calls meanwhile none failed; or one did. */
  confirmadas: number
  desmentidas: number
}

/**
 * By its code (NF-e cStat 656, CT-e 678), or by HTTP 403, which a firewall also answers for other reasons.
 */
export type Recusa = 'uso-indevido' | 'http-403'

const MINUTE_MS = 60_000
/** The block lasts an hour, and begins anew if we ask within it (MOC 7.0, Anexo I, 4.3). */
const PAUSA_MS = 65 * MINUTE_MS
/** The clocks of two nodes differ by less. */
const RELOGIOS_MS = 5 * MINUTE_MS
/** No authorizer is asked more seldom than this, except after a block. */
const MAIS_LENTO_MS = 32 * MINUTE_MS

/** The codes that are no outage: the authority refuses us, and serves others. */
export const USO_INDEVIDO: readonly number[] = [656, 678]

export const isUsoIndevido = ({ cStat }: Pick<LeituraSefaz, 'cStat'>): boolean =>
  cStat !== null && USO_INDEVIDO.includes(cStat)

export function dueOf(
  ritmos: readonly RitmoDaSonda[],
  quando: { em: number; intervaloMs: number },
): readonly Autorizador[] {
  const paused = new Set(
    ritmos.filter((ritmo) => isPausado(ritmo, quando)).map(({ autorizador }) => autorizador),
  )
  return autorizadores.filter(({ id }) => !paused.has(id))
}

export function isPausado(
  { proxima, fator }: RitmoDaSonda,
  { em, intervaloMs }: { em: number; intervaloMs: number },
): boolean {
  const rest = proxima - em
  // What is further ahead was set before the clock was set back.
  return rest > 0 && rest <= Math.max(PAUSA_MS, fator * intervaloMs) + RELOGIOS_MS
}

type Encontro = {
  autorizador: string
  em: number
  intervaloMs: number
  recusa: Recusa | undefined
  leituras: readonly LeituraSefaz[]
}

/** Undefined where nothing changes. A factor of 1 is the usual pace. */
export function ritmoAfter(
  antes: RitmoDaSonda | undefined,
  { autorizador, em, intervaloMs, recusa, leituras }: Encontro,
): RitmoDaSonda | undefined {
  const fator = antes?.fator ?? 1
  const doubled = Math.min(2 * fator, mostOf(intervaloMs))
  const at = (next: number, motivo: string): RitmoDaSonda => ({
    autorizador,
    proxima: em + waitOf(next, intervaloMs),
    fator: next,
    motivo,
  })
  if (recusa === 'uso-indevido') return { ...at(doubled, recusa), proxima: em + PAUSA_MS }
  // The first one may be an accident, the second is an answer.
  if (recusa) return at(antes?.motivo === recusa ? doubled : fator, recusa)
  if (!antes || (fator === 1 && antes.motivo === '')) return undefined
  const last = leituras.slice(0, RODADAS_PARA_CRER)
  const isGood = last.length === RODADAS_PARA_CRER && !last.some(isFalha)
  return at(isGood ? Math.max(1, fator / 2) : fator, '')
}

/** A round begins some milliseconds early or late, so half an interval is given. */
const waitOf = (fator: number, intervaloMs: number): number => (fator - 0.5) * intervaloMs

/** The largest power of two that keeps to the slowest pace; 2 where an interval is already as long. */
const mostOf = (intervaloMs: number): number =>
  Math.max(2, 2 ** Math.floor(Math.log2(MAIS_LENTO_MS / intervaloMs)))

export type Sondado = {
  leitura: LeituraSefaz
  /** Whether the service itself answered, and did not only refuse our question. */
  atendeu: boolean
  recusa: Recusa | undefined
}

/** What was known before a round. */
export type Antes = {
  /** The last rounds with their readings, the newest first: as many as `memoryOf` says. */
  rodadas: readonly { rodada: Rodada; leituras: readonly LeituraSefaz[] }[]
  /** The incidents that are open, or that a fall may reopen; the newest first. */
  incidentes: readonly Incidente[]
  ritmos: readonly RitmoDaSonda[]
  /** The authorizers (by id) that fell, and of which no reading that counts came for `forgottenAfterMs`. */
  calados: ReadonlySet<string>
}

type Feito = {
  rodada: Omit<Rodada, 'semRede'>
  sondados: readonly Sondado[]
  intervaloMs: number
  newId: () => string
  /** What our own calls came to in the interval before, by authorizer. */
  chamadas: ReadonlyMap<string, ChamadasProprias>
}

/** How many rounds back the readings lie that decide something. A fall is known so late at most. */
export const memoryOf = (ritmos: readonly RitmoDaSonda[]): number =>
  RODADAS_PARA_CRER * (Math.max(1, ...ritmos.map(({ fator }) => fator)) + 1)

/** After so long without a reading that counts, in milliseconds, a fall is not known to last. */
export const forgottenAfterMs = (ritmos: readonly RitmoDaSonda[], intervaloMs: number): number =>
  Math.max(REABRE_MS, memoryOf(ritmos) * intervaloMs)

/** Where no service answered, our own network, address or certificate may be at fault. */
export function decideRodada(
  antes: Antes,
  { rodada, sondados, intervaloMs, newId, chamadas }: Feito,
): Omit<RodadaFeita, 'ativacoes'> {
  const semRede = areOfSeveral(sondados) && !sondados.some(({ atendeu }) => atendeu)
  const leituras = sondados.map(({ leitura }) => checkPalavra(leitura, chamadas.get(leitura.autorizador)))
  const done = { rodada: { ...rodada, semRede }, leituras }
  const { em } = rodada
  const emOrdem = inSequence(antes, leituras, { em, intervaloMs })
  // The portals' pages are no question to an authorizer.
  const asked = rodada.fonte === 'servicos' ? sondados : []
  const ritmos = asked.flatMap(({ leitura: { autorizador }, recusa }) => {
    const before = antes.ritmos.find((one) => one.autorizador === autorizador)
    const ultimas = emOrdem.get(autorizador) ?? []
    return ritmoAfter(before, { autorizador, em, intervaloMs, recusa, leituras: ultimas }) ?? []
  })
  if (semRede) return { ...done, incidentes: [], ritmos }
  const provas = new Map(
    [...emOrdem].map(([id, all]) => [id, all.filter((leitura) => !isRecusada(leitura))] as const),
  )
  const known = new Set([...provas].flatMap(([id, all]) => (all.some((one) => one.em === em) ? [id] : [])))
  const calados = antes.calados.difference(known)
  return { ...done, incidentes: advance(provas, antes.incidentes, { em, calados, newId }), ritmos }
}

/** Whether more than one data centre was asked: one that is silent alone says nothing of our network. */
function areOfSeveral(sondados: readonly Sondado[]): boolean {
  return new Set(sondados.map(({ leitura }) => autorizadorById(leitura.autorizador)?.casa)).size > 1
}

/** What lies too far back is of another time: the monitor stood still, or the authorizer was not asked. */
function inSequence(
  { rodadas, ritmos }: Antes,
  novas: readonly LeituraSefaz[],
  { em, intervaloMs }: { em: number; intervaloMs: number },
): ReadonlyMap<string, readonly LeituraSefaz[]> {
  const fatores = new Map(ritmos.map(({ autorizador, fator }) => [autorizador, fator]))
  const counted = rodadas.filter(({ rodada }) => !rodada.semRede).flatMap(({ leituras }) => leituras)
  const recent = [...novas, ...counted].filter(({ autorizador, em: then }) => {
    const fator = fatores.get(autorizador) ?? 1
    return em - then <= RODADAS_PARA_CRER * (fator + 1) * intervaloMs
  })
  return Map.groupBy(recent, ({ autorizador }) => autorizador)
}
