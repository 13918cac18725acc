import { isFalha, type LeituraSefaz } from './leitura.ts'
import { type Autorizador, autorizadores } from './rules.ts'
import { RODADAS_PARA_CRER } from './rules-rodada.ts'
import type { RitmoDaSonda } from './sefaz-rodada.ts'

/**
 * How an authority said that we ask too often: by its code (NF-e cStat 656, CT-e 678), or by HTTP 403, which
 * a firewall also answers for other reasons.
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

/** Whether the authority answered that we ask too often. */
export const isUsoIndevido = ({ cStat }: Pick<LeituraSefaz, 'cStat'>): boolean =>
  cStat !== null && USO_INDEVIDO.includes(cStat)

/** The authorizers that a round asks: all but those that are asked less often, and not yet again. */
export function devidos(
  ritmos: readonly RitmoDaSonda[],
  quando: { em: number; intervaloMs: number },
): readonly Autorizador[] {
  const paused = new Set(
    ritmos.filter((ritmo) => isPausado(ritmo, quando)).map(({ autorizador }) => autorizador),
  )
  return autorizadores.filter(({ id }) => !paused.has(id))
}

/** Whether an authorizer is not asked at an instant, because it asked for less. */
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
  /** Its readings with the present one, the newest first. */
  leituras: readonly LeituraSefaz[]
}

/**
 * How often an authorizer is asked after what a round met there; undefined where nothing changes. A factor of
 * 1 is the usual pace.
 */
export function ritmoDepois(
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
