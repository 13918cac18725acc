import { untilAborted } from '../platform/wire/http.ts'
import { quadroVigente } from './lookup.ts'
import type { Quadro } from './sefaz-rodada.ts'
import type { Sefaz } from './store.ts'

/** How long a call waits for the first round, and for how long after the start there is one to wait for. */
const ESPERA_MS = 10_000
const COMECO_MS = 60_000

type Recursos = {
  config: { SEFAZ_MONITOR: 'ligado' | 'desligado' }
  store: { sefaz: Pick<Sefaz, 'quadro' | 'onQuadro'> }
}

/** Whether a first round is to come, and the wait for its board, which whoever leaves ends. */
export type PrimeiraRodada = {
  isAwaited: () => boolean
  /** The board; undefined where none came in time. Throws the reason of `leaving`. */
  wait: (leaving: AbortSignal) => Promise<Quadro | undefined>
  /** Ends all waits: the service ends. */
  close: () => void
}

/** Opens the wait of a process that just started, in which a first round begins at once. */
export function openPrimeiraRodada(recursos: Recursos): PrimeiraRodada {
  const { config, store } = recursos
  const begun = performance.now()
  const waiting = new Set<() => void>()
  let isOver = config.SEFAZ_MONITOR === 'desligado'
  const isAwaited = (): boolean => {
    isOver ||= performance.now() - begun > COMECO_MS || quadroVigente(recursos) !== undefined
    return !isOver
  }
  return {
    isAwaited,
    wait: async (leaving) => {
      const { promise, resolve } = Promise.withResolvers<void>()
      const stop = store.sefaz.onQuadro(({ parado }) => {
        if (!parado) resolve()
      })
      const timer = setTimeout(resolve, ESPERA_MS)
      waiting.add(resolve)
      try {
        await untilAborted(promise, leaving)
        return quadroVigente(recursos)
      } finally {
        clearTimeout(timer)
        waiting.delete(resolve)
        stop()
      }
    },
    close: () => {
      isOver = true
      for (const end of waiting) end()
    },
  }
}
