import { isFalha, isRecusada, type LeituraSefaz } from './rules.ts'
import type { DiaSefaz } from './rules-rodada.ts'

/** Days added up. Times are in milliseconds; null where there was nothing to measure. */
export type TotaisSefaz = {
  leituras: number
  erros: number
  timeouts: number
  /** The share of the readings that were answered, in percent with two decimals. */
  disponibilidade: number | null
  p50: number | null
  p95: number | null
}

/**
 * Of the readings that said normal while we called: those in which a call failed. In percent, two decimals.
 */
export type PalavraDaSefaz = { conferidas: number; desmentidas: number; desmentida: number | null }

export function totalize(dias: readonly DiaSefaz[]): TotaisSefaz {
  const [leituras, erros, timeouts] = [
    sumOf(dias, ({ leituras }) => leituras),
    sumOf(dias, ({ erros }) => erros),
    sumOf(dias, ({ timeouts }) => timeouts),
  ]
  const at = rankTimes(dias.map(({ tempos }) => tempos))
  return {
    leituras,
    erros,
    timeouts,
    disponibilidade: percent(leituras - erros - timeouts, leituras),
    p50: at(50),
    p95: at(95),
  }
}

/** How the authority's own word fared on these days. */
export function addUpPalavra(dias: readonly Pick<DiaSefaz, 'confirmadas' | 'desmentidas'>[]): PalavraDaSefaz {
  const desmentidas = sumOf(dias, (dia) => dia.desmentidas)
  const conferidas = desmentidas + sumOf(dias, (dia) => dia.confirmadas)
  return { conferidas, desmentidas, desmentida: percent(desmentidas, conferidas) }
}

/** The percentile `nth` of times; each list is in ascending order. One list needs no counting. */
function rankTimes(lists: readonly Uint16Array[]): (nth: number) => number | null {
  const [only = new Uint16Array()] = lists
  if (lists.length <= 1) return (nth) => only[Math.ceil((only.length * nth) / 100) - 1] ?? null
  const counts = new Uint32Array(1 + Math.max(...lists.map((times) => times.at(-1) ?? 0)))
  let total = 0
  for (const times of lists) {
    total += times.length
    for (const ms of times) counts[ms] = (counts[ms] ?? 0) + 1
  }
  return (nth) => {
    if (total === 0) return null
    const rank = Math.ceil((total * nth) / 100)
    let seen = 0
    for (let ms = 0; ms < counts.length; ms++) {
      seen += counts[ms] ?? 0
      if (seen >= rank) return ms
    }
    return null
  }
}

/** 0 and 100 are said of none and of all alone: one failure in a million is never rounded away. */
export function percent(part: number, whole: number): number | null {
  if (whole === 0) return null
  if (part === 0 || part === whole) return part === 0 ? 0 : 100
  return Math.min(99.99, Math.max(0.01, Math.round((part * 10_000) / whole) / 100))
}

const sumOf = <D>(dias: readonly D[], of: (dia: D) => number): number =>
  dias.reduce((sum, dia) => sum + of(dia), 0)

/** The most that a time of `tempos` can say. */
const MOST_MS = 0xff_ff

/** Refusals of our question tell nothing of the service. The caller leaves out the rounds without network. */
export function countDia(
  { autorizador, dia }: Pick<DiaSefaz, 'autorizador' | 'dia'>,
  leituras: readonly Pick<LeituraSefaz, 'resultado' | 'respostaMs' | 'cStat' | 'desmentida'>[],
): DiaSefaz {
  const counted = leituras.filter((leitura) => !isRecusada(leitura))
  const timeouts = counted.filter(({ resultado }) => resultado === 'timeout').length
  const tempos = counted.flatMap(({ resultado, respostaMs }) =>
    resultado === 'resposta' && respostaMs !== null ? [Math.min(Math.round(respostaMs), MOST_MS)] : [],
  )
  return {
    autorizador,
    dia,
    leituras: counted.length,
    erros: counted.filter(isFalha).length - timeouts,
    timeouts,
    tempos: Uint16Array.from(tempos).sort(),
    confirmadas: counted.filter(({ desmentida }) => desmentida === false).length,
    desmentidas: counted.filter(({ desmentida }) => desmentida === true).length,
  }
}
