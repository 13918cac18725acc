import { isFalha, type LeituraSefaz } from './leitura.ts'

/** The classes of a state (specification, "SEFAZ status codes"). */
export const classes = ['Indisponível', 'Normal', 'Lento', 'Muito lento', 'Erro', 'Timeout'] as const

export type StatusCode = 0 | 1 | 2 | 3 | 4 | 5

/** How a state stands for a document. `status_avg` is in seconds with two decimals, 0 without a time. */
export type Situacao = { status_code: StatusCode; status: (typeof classes)[number]; status_avg: number }

/** The rounds whose readings count: a reading older than this many intervals is none. */
export const RODADAS = 3

/** The first second of each class after `Normal`. From `LIMITE_S` on nobody waits for the answer. */
const LENTO_S = 2
const MUITO_LENTO_S = 6
export const LIMITE_S = 30

/**
 * Classifies an authorizer by its readings of the last rounds, the newest first (decisions, "SEFAZ status").
 * The newest one decides where it is a failure; else the mean of the answered ones is rounded and classified.
 */
export function classificar(leituras: readonly LeituraSefaz[]): Situacao {
  const [ultima] = leituras
  if (!ultima) return situacao(0, 0)
  if (isFalha(ultima)) return situacao(ultima.resultado === 'timeout' ? 5 : 4, 0)
  // A public page tells no time, and those of before it are no word of now.
  if (ultima.resultado === 'disponivel') return situacao(1, 0)
  const times = leituras.flatMap(({ resultado, respostaMs }) =>
    resultado === 'resposta' && respostaMs !== null ? [respostaMs] : [],
  )
  if (times.length === 0) return situacao(1, 0)
  const mean = times.reduce((sum, ms) => sum + ms, 0) / times.length
  const seconds = Math.round(mean / 10) / 100
  return situacao(classOf(seconds), seconds)
}

function classOf(seconds: number): StatusCode {
  if (seconds < LENTO_S) return 1
  return seconds < MUITO_LENTO_S ? 2 : 3
}

const situacao = (status_code: StatusCode, status_avg: number): Situacao => ({
  status_code,
  status: classes[status_code],
  status_avg,
})
