import { setTimeout as delay } from 'node:timers/promises'
import type { Source } from '../platform/wire/fonte.ts'
import { failureOf } from '../portal/desfecho.ts'

/** The pauses between two polls in milliseconds; the last one repeats. Each poll of the gateway is billed. */
const PAUSAS_MS = [2_000, 5_000, 10_000] as const

/** The gateway wants at least so long between two polls (its documentation, as clients quote it). */
const LEAST_MS = 500

/** The time of one attempt. */
export type Tempo = {
  elapsedMs: () => number
  /** Never less than 1, so that the last request fails by its deadline. */
  leftMs: () => number
  /**
   * Waits for the next poll, or as long as the authority asked for. Throws the failure `em-processamento`
   * when the time ends before, and the reason of the signal if it is aborted.
   */
  pause: (retryAfterS?: number) => Promise<void>
  /** The failure of an authority that still works. */
  processando: (frase?: string) => Error
}

export type LimitesDeTempo = { source: Source; deadlineMs: number; pace: number; signal: AbortSignal }

/** Starts the time of an attempt. */
export function openTempo({ source, deadlineMs, pace, signal }: LimitesDeTempo): Tempo {
  const started = performance.now()
  const elapsedMs = (): number => Math.round(performance.now() - started)
  let polls = 0
  const processando: Tempo['processando'] = (frase = '') =>
    failureOf('processando', { source, elapsedMs: elapsedMs(), tipo: 'cnpj', frase })
  return {
    elapsedMs,
    leftMs: () => Math.max(1, deadlineMs - elapsedMs()),
    pause: async (retryAfterS = 0) => {
      const usual = PAUSAS_MS[Math.min(polls++, PAUSAS_MS.length - 1)] ?? LEAST_MS
      const pauseMs = Math.max(usual, LEAST_MS, retryAfterS * 1000) * pace
      const restMs = deadlineMs - elapsedMs()
      await delay(Math.max(0, Math.min(pauseMs, restMs)), undefined, { signal }).catch(() => {
        throw signal.reason
      })
      if (pauseMs >= restMs) throw processando()
    },
    processando,
  }
}
