import { BrokenCircuitError, bulkhead, TaskCancelledError, wrap } from 'cockatiel'
import { createBreaker } from './breaker.ts'
import type { Circuito } from './leitura.ts'
import { untilAborted } from './until-aborted.ts'

/** How much one source may be asked at once, and when it rests. */
export type GuardLimits = {
  /** How many queries a source gets at a time, and how many more may wait for a place. */
  simultaneous: number
  waiting: number
  /**
   * How many failures in a row mean that the source is out of reach, and for how long it is then not asked.
   */
  failures: number
  pauseMs: number
}

/** The gate of one source. */
export type Gate = {
  /**
   * Runs `send` when its turn comes, within `deadlineMs`. Throws what `send` throws; throws errors of
   * cockatiel if it was not run.
   */
  pass: <T>(deadlineMs: number, send: () => Promise<T>) => Promise<T>
  circuito: () => Circuito
}

/**
 * The part of its time that a query may wait. A query sent with no time left would make the source look slow.
 */
const WAIT_SHARE = 0.5

/** Opens the gate of a source, with at least `gapMs` between two queries. */
export function openGate(limits: GuardLimits, gapMs: number, now: () => Date): Gate {
  const { policy: breaker, circuito, isTrying } = createBreaker({ ...limits, now })
  const takeTurn = openPace(gapMs)
  // With a pace, queries wait for their turn and never for a place: those that did would be sent together.
  const places = bulkhead(limits.simultaneous, gapMs > 0 ? 0 : limits.waiting)
  // The breaker is inside: a query that waited for its place is not sent if the circuit opened meanwhile.
  const policy = wrap(places, breaker)

  /** With a pace, no query waits for the outcome of the one that tries the source. */
  const refuseIfBroken = (): void => {
    if (isTrying() || circuito().estado === 'aberto') throw new BrokenCircuitError()
  }

  async function waitForTurn(deadlineMs: number): Promise<void> {
    refuseIfBroken()
    const waitMs = takeTurn(deadlineMs)
    if (waitMs === undefined) throw new TaskCancelledError()
    if (waitMs > 0) await new Promise((resolve) => setTimeout(resolve, waitMs))
    refuseIfBroken()
  }

  return {
    circuito,
    pass: async (deadlineMs, send) => {
      const started = performance.now()
      if (gapMs > 0) await waitForTurn(deadlineMs)
      const tired = new AbortController()
      const leftMs = deadlineMs * WAIT_SHARE - (performance.now() - started)
      const timer = setTimeout(() => tired.abort(new TaskCancelledError()), leftMs)
      const sendInTime = () => {
        // From here on the query keeps its time by itself.
        clearTimeout(timer)
        return send()
      }
      try {
        return await untilAborted(policy.execute(sendInTime, tired.signal), tired.signal)
      } finally {
        clearTimeout(timer)
      }
    },
  }
}

/**
 * Opens the turns of a source, `gapMs` apart. The function takes the next turn and gives the wait for it in
 * milliseconds; undefined, and no turn taken, if a query of `deadlineMs` cannot wait so long.
 */
function openPace(gapMs: number): (deadlineMs: number) => number | undefined {
  let free = Number.NEGATIVE_INFINITY
  return (deadlineMs) => {
    const now = performance.now()
    const turn = Math.max(now, free)
    if (turn - now > deadlineMs * WAIT_SHARE) return undefined
    free = turn + gapMs
    return turn - now
  }
}
