import { BrokenCircuitError, bulkhead, TaskCancelledError, wrap } from 'cockatiel'
import type { Circuito } from '../../domain/fonte/leitura.ts'
import { untilAborted } from '../transport/until-aborted.ts'
import { createDisjuntor } from './breaker.ts'
import { openRitmo, WAIT_SHARE } from './ritmo.ts'

/** How much one source may be asked at once, and when it is left alone. */
export type GuardLimits = {
  /** Queries to one source at a time, and how many more may wait for a place. */
  simultaneous: number
  waiting: number
  /** Failures in a row that mean that the source is out of reach, and for how long it is then not asked. */
  failures: number
  pauseMs: number
}

/** The door to one source. */
export type Posto = {
  /** Runs `send` when its turn comes, within `deadlineMs`. Throws what it throws, and errors of cockatiel where it was not run. */
  pass: <T>(deadlineMs: number, send: () => Promise<T>) => Promise<T>
  circuito: () => Circuito
}

/** Opens the door to a source, with at least `gapMs` between two queries. */
export function openPosto(limits: GuardLimits, gapMs: number, now: () => Date): Posto {
  const { policy: breaker, circuito, tentando } = createDisjuntor({ ...limits, now })
  const ritmo = openRitmo(gapMs)
  // With a pace, it is for their turn that queries wait, and never for a place: those that did would be sent together.
  const places = bulkhead(limits.simultaneous, gapMs > 0 ? 0 : limits.waiting)
  // The breaker inside: a query that waited for its place is not sent when the circuit opened meanwhile.
  const policy = wrap(places, breaker)

  /** For the same reason nobody waits here for the outcome of the query that tries the source. */
  const refuseIfBroken = (): void => {
    if (tentando() || circuito().estado === 'aberto') throw new BrokenCircuitError()
  }

  async function waitForTurn(deadlineMs: number): Promise<void> {
    refuseIfBroken()
    const waitMs = ritmo.take(deadlineMs)
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
        // From here on it keeps its time by itself.
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
