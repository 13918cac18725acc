import { isRecusada, type LeituraSefaz } from './leitura.ts'
import { type ChamadasProprias, conferida } from './palavra.ts'
import { type Recusa, ritmoDepois } from './ritmo.ts'
import { autorizadorPorId } from './rules.ts'
import { avancar, type Incidente, REABRE_MS, RODADAS_PARA_CRER } from './rules-rodada.ts'
import type { RitmoDaSonda, Rodada, RodadaFeita } from './sefaz-rodada.ts'

/** What a round met at one authorizer. */
export type Sondado = {
  leitura: LeituraSefaz
  /** Whether the service itself answered, and did not only refuse our question. */
  atendeu: boolean
  recusa: Recusa | undefined
}

/** What was known before a round. */
export type Antes = {
  /** The last rounds with their readings, the newest first: as many as `lembranca` says. */
  rodadas: readonly { rodada: Rodada; leituras: readonly LeituraSefaz[] }[]
  /** The incidents that are open, or that a fall may reopen; the newest first. */
  incidentes: readonly Incidente[]
  ritmos: readonly RitmoDaSonda[]
  /** The authorizers (by id) that fell, and of which no reading that counts came for as long as `esquece`. */
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
export const lembranca = (ritmos: readonly RitmoDaSonda[]): number =>
  RODADAS_PARA_CRER * (Math.max(1, ...ritmos.map(({ fator }) => fator)) + 1)

/** After so long without a reading that counts, in milliseconds, a fall is not known to last. */
export const esquece = (ritmos: readonly RitmoDaSonda[], intervaloMs: number): number =>
  Math.max(REABRE_MS, lembranca(ritmos) * intervaloMs)

/**
 * Decides what a round leaves behind. Where no service answered at all, our own network, address or
 * certificate may be at fault: the readings and the pace stay, and nothing else changes.
 */
export function decidirRodada(
  antes: Antes,
  { rodada, sondados, intervaloMs, newId, chamadas }: Feito,
): Omit<RodadaFeita, 'ativacoes'> {
  const semRede = saoDeVarias(sondados) && !sondados.some(({ atendeu }) => atendeu)
  const leituras = sondados.map(({ leitura }) => conferida(leitura, chamadas.get(leitura.autorizador)))
  const done = { rodada: { ...rodada, semRede }, leituras }
  const { em } = rodada
  const emOrdem = emSequencia(antes, leituras, { em, intervaloMs })
  // The portals' pages are no question to an authorizer.
  const asked = rodada.fonte === 'servicos' ? sondados : []
  const ritmos = asked.flatMap(({ leitura: { autorizador }, recusa }) => {
    const before = antes.ritmos.find((one) => one.autorizador === autorizador)
    const ultimas = emOrdem.get(autorizador) ?? []
    return ritmoDepois(before, { autorizador, em, intervaloMs, recusa, leituras: ultimas }) ?? []
  })
  if (semRede) return { ...done, incidentes: [], ritmos }
  const provas = new Map(
    [...emOrdem].map(([id, all]) => [id, all.filter((leitura) => !isRecusada(leitura))] as const),
  )
  const known = new Set([...provas].flatMap(([id, all]) => (all.some((one) => one.em === em) ? [id] : [])))
  const calados = antes.calados.difference(known)
  return { ...done, incidentes: avancar(provas, antes.incidentes, { em, calados, newId }), ritmos }
}

/** Whether more than one data centre was asked: one that is silent alone says nothing of our network. */
function saoDeVarias(sondados: readonly Sondado[]): boolean {
  return new Set(sondados.map(({ leitura }) => autorizadorPorId(leitura.autorizador)?.casa)).size > 1
}

/**
 * The readings of each authorizer that lie in a row, the newest first. What lies too far back is of another
 * time: the monitor stood still meanwhile, or the authorizer was not asked.
 */
function emSequencia(
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
