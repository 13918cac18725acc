import { CircuitState, ConsecutiveBreaker, circuitBreaker, handleWhen, type IPolicy } from 'cockatiel'
import { SourceError } from './fonte.ts'
import type { Circuito } from './leitura.ts'

type Options = { failures: number; pauseMs: number; now: () => Date }

/** The circuit breaker of one source, and its state. */
export type Breaker = {
  policy: IPolicy
  circuito: () => Circuito
  /** Whether a query is under way that tries if the source is back. */
  isTrying: () => boolean
}

/**
 * Opens after so many failures in a row of the source as a whole (`SourceError.unavailable`); other failures
 * between them do not count. After the pause one query tries the source.
 */
export function createBreaker({ failures, pauseMs, now }: Options): Breaker {
  const outage = handleWhen((error) => error instanceof SourceError && error.unavailable)
  const breaker = new ConsecutiveBreaker(failures)
  const policy = circuitBreaker(outage, { halfOpenAfter: pauseMs, breaker })
  let ate = new Date(0)
  policy.onBreak(() => {
    ate = new Date(now().getTime() + pauseMs)
  })
  const circuito = (): Circuito => {
    if (policy.state === CircuitState.Closed) return { estado: 'fechado' }
    const waits = policy.state === CircuitState.Open && now() < ate
    return { estado: waits ? 'aberto' : 'em-teste', ate }
  }
  return { policy, circuito, isTrying: () => policy.state === CircuitState.HalfOpen }
}
