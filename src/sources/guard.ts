import {
  BrokenCircuitError,
  BulkheadRejectedError,
  bulkhead,
  ConsecutiveBreaker,
  circuitBreaker,
  handleWhen,
  type IPolicy,
  TaskCancelledError,
  wrap,
} from 'cockatiel'
import { codeOf } from '../domain/error-code.ts'
import { SourceError } from '../domain/source-error.ts'
import { DeadlineError, toSourceError } from './transport/failure.ts'
import { untilAborted } from './transport/until-aborted.ts'
import type { Source } from './transport.ts'

/** How much one source may be asked at once, and when it is left alone. */
export type GuardLimits = {
  /** Queries to one source at a time, and how many more may wait for a place. */
  simultaneous: number
  waiting: number
  /** Failures in a row that mean that the source is out of reach, and for how long it is then not asked. */
  failures: number
  pauseMs: number
}

const standardLimits: GuardLimits = { simultaneous: 20, waiting: 200, failures: 5, pauseMs: 30_000 }

/** Whom a query is for: the source, the time that it may take with the wait for its place, and the request of ours, for the log. */
type Query = { source: Source; deadlineMs: number; request_id: string }

/** Asks a source under its limits; `run` hears how many milliseconds are left. */
export type Guard = <T>(query: Query, run: (leftMs: number) => Promise<T>) => Promise<T>

/** Where the line about each call goes. */
type Log = { info: (fields: object, message: string) => void }

/**
 * A bulkhead and a circuit breaker for each source, by its id. Only failures of the source as a whole open the circuit
 * (`SourceError.unavailable`), in a row but for others between them: one answer that cannot be read says nothing of the
 * next. Throws what `run` throws, and a SourceError of kind `blocked` for a query that was not sent. One line in the log a
 * call: which source, how it ended and why, how long it took, and no document.
 */
export function createGuard(log: Log, limits: GuardLimits = standardLimits): Guard {
  const policies = new Map<string, IPolicy>()
  const policyOf = (id: string): IPolicy => {
    const policy = policies.get(id) ?? createPolicy(limits)
    policies.set(id, policy)
    return policy
  }
  return async ({ source, deadlineMs, request_id }, run) => {
    const started = performance.now()
    const tired = new AbortController()
    const timer = setTimeout(() => tired.abort(new TaskCancelledError()), deadlineMs)
    const runInTime = () => {
      // From here on it keeps its time by itself.
      clearTimeout(timer)
      return run(Math.max(1, deadlineMs - since(started)))
    }
    const line = (outcome: object) => ({ source: source.id, request_id, ...outcome, ms: since(started) })
    try {
      // Its time went by elsewhere: that says nothing of the source.
      if (deadlineMs <= 0) throw toSourceError(new DeadlineError(), source, 0)
      const asked = policyOf(source.id).execute(runInTime, tired.signal)
      const answer = await untilAborted(asked, tired.signal)
      log.info(line({}), 'source answered')
      return answer
    } catch (thrown) {
      const error = explain(thrown, source)
      if (error instanceof SourceError) {
        const { kind, status: http, codigo, cause } = error
        log.info(line({ kind, http, codigo, causa: codeOf(cause) || undefined }), 'source failed')
      } else log.info(line({}), 'source refused the question')
      throw error
    } finally {
      clearTimeout(timer)
    }
  }
}

function createPolicy({ simultaneous, waiting, failures, pauseMs }: GuardLimits): IPolicy {
  const outage = handleWhen((error) => error instanceof SourceError && error.unavailable)
  const breaker = circuitBreaker(outage, {
    halfOpenAfter: pauseMs,
    breaker: new ConsecutiveBreaker(failures),
  })
  // The breaker inside: a query that waited for its place is not sent when the circuit opened meanwhile.
  return wrap(bulkhead(simultaneous, waiting), breaker)
}

/** What kept a query from being sent, in words. */
function explain(thrown: unknown, source: Source): unknown {
  const notSent = (codigo: string, why: string): SourceError =>
    new SourceError('blocked', `${source.nome} ${why}`, { source: source.id, elapsedMs: 0, codigo })
  if (thrown instanceof BrokenCircuitError)
    return notSent(
      'circuito-aberto',
      'falhou várias vezes seguidas e não está sendo consultada agora. Tente de novo em um minuto.',
    )
  if (thrown instanceof BulkheadRejectedError || thrown instanceof TaskCancelledError)
    return notSent('fila', 'já tem consultas demais na fila. Tente de novo em instantes.')
  return thrown
}

const since = (started: number): number => Math.round(performance.now() - started)
