import { BrokenCircuitError, BulkheadRejectedError, TaskCancelledError } from 'cockatiel'
import type { CodigoDaFalha } from '../../domain/fonte/codigo.ts'
import { codeOf } from '../../domain/fonte/error-code.ts'
import {
  type Circuito,
  type Falha,
  type Leitura,
  MOST_ROTULOS,
  type Nota,
} from '../../domain/fonte/leitura.ts'
import { RotaNaoAtende } from '../../domain/fonte/rota-nao-atende.ts'
import type { Source } from '../../domain/fonte/source.ts'
import { SourceError } from '../../domain/fonte/source-error.ts'
import { DeadlineError, toSourceError } from '../transport/failure.ts'
import { type GuardLimits, openPosto, type Posto } from './gate.ts'

const standardLimits: GuardLimits = { simultaneous: 20, waiting: 200, failures: 5, pauseMs: 30_000 }

/** Whom a query is for: the source, the time that it may take with all its waiting, and the request of ours, for the log. */
type Query = {
  source: Source
  deadlineMs: number
  request_id: string
  /** The shortest time between two queries to this source, in milliseconds, the same in each. */
  ritmoMs?: number | undefined
}

/**
 * Asks a source within its limits. `run` gets the milliseconds that are left, and may report on its answer.
 */
export type Guard = <T>(
  query: Query,
  run: (leftMs: number, note: (nota: Nota) => void) => Promise<T>,
) => Promise<T>

/** A guard that tells how the circuit of a source stands, by the source's id. */
type WatchedGuard = Guard & { circuit: (id: string) => Circuito }

/** Where the line about each call goes. */
type Log = { info: (fields: object, message: string) => void }

type Options = {
  limits?: GuardLimits
  /** What the sources' pace is multiplied by: 1 against the real ones. */
  ritmo?: number
  now?: () => Date
  /** Hears of each query that was sent. */
  onCall?: (leitura: Leitura) => void
}

/**
 * A bulkhead and a circuit breaker for each source, by its id, and turns for one that has a pace. Only failures of the
 * source as a whole open the circuit (`SourceError.unavailable`), in a row but for others between them: one answer that
 * cannot be read says nothing of the next. Throws what `run` throws, and a SourceError of kind `blocked` for a query that
 * was not sent. One line in the log a call: which source, how it ended and why, how long it took, and no document.
 */
export function createGuard(log: Log, options: Options = {}): WatchedGuard {
  const { limits = standardLimits, ritmo = 1, now = () => new Date(), onCall = () => {} } = options
  const postos = new Map<string, Posto>()
  const postoOf = ({ source: { id }, ritmoMs = 0 }: Query): Posto => {
    const posto = postos.get(id) ?? openPosto(limits, ritmoMs * ritmo, now)
    postos.set(id, posto)
    return posto
  }
  const guard: Guard = async (query, run) => {
    const { source, deadlineMs, request_id } = query
    const posto = postoOf(query)
    const started = performance.now()
    let sent: number | undefined
    let nota: Nota = {}
    const note = (told: Nota): void => {
      nota = { ...nota, ...told }
    }
    const send = () => {
      sent = performance.now()
      return run(Math.max(1, deadlineMs - since(started)), note)
    }
    const tell = (message: string, fields: object, falha?: Omit<Falha, 'em'>): void => {
      const rotulos = (nota.rotulos ?? []).slice(0, MOST_ROTULOS)
      const novos = rotulos.length > 0 && { rotulos_novos: rotulos }
      log.info({ source: source.id, request_id, ...fields, ...novos, ms: since(started) }, message)
      // Of one that was not sent there is nothing to say of the source.
      if (sent === undefined) return
      const em = now()
      const vazia = falha === undefined && nota.vazia === true
      const fate = { falha: falha && { ...falha, em }, vazia, rotulos, circuito: posto.circuito() }
      onCall({ fonte: source.id, em, ms: since(sent), ...fate })
    }
    try {
      // Its time went by elsewhere: that says nothing of the source.
      if (deadlineMs <= 0) throw toSourceError(new DeadlineError(), source, 0)
      const answer = await posto.pass(deadlineMs, send)
      tell('source answered', {})
      return answer
    } catch (thrown) {
      const error = explain(thrown, source)
      if (error instanceof SourceError) tell('source failed', fieldsOf(error), falhaOf(error))
      else if (error instanceof RotaNaoAtende && error.codigo !== undefined) {
        // Not the source's fault, so its circuit stays as it is; not the question's either, so the operator hears of it.
        const { codigo } = error
        tell('source failed', { kind: 'blocked', codigo }, { tipo: 'blocked', codigo })
      } else tell('source refused the question', {})
      throw error
    }
  }
  const circuit = (id: string): Circuito => postos.get(id)?.circuito() ?? { estado: 'fechado' }
  return Object.assign(guard, { circuit })
}

/** A failure as the log has it. */
const fieldsOf = ({ kind, status: http, codigo, cause }: SourceError): object => ({
  kind,
  http,
  codigo,
  causa: codeOf(cause) || undefined,
})

/** A failure as it is remembered: with one code, the most telling one. */
function falhaOf({ kind, status, codigo, cause }: SourceError): Omit<Falha, 'em'> {
  const http = status === undefined ? undefined : `HTTP ${status}`
  return { tipo: kind, codigo: codigo ?? http ?? codeOf(cause) }
}

/** What kept a query from being sent, in words. */
function explain(thrown: unknown, source: Source): unknown {
  const notSent = (codigo: CodigoDaFalha, why: string): SourceError =>
    new SourceError('blocked', `${source.nome} ${why}`, { source: source.id, elapsedMs: 0, codigo })
  if (thrown instanceof BrokenCircuitError)
    return notSent(
      'circuito-aberto',
      'falhou várias vezes seguidas e está sem consultas por ora. Tente de novo em um minuto.',
    )
  if (thrown instanceof BulkheadRejectedError || thrown instanceof TaskCancelledError)
    return notSent('fila', 'já tem consultas demais na fila. Tente de novo em instantes.')
  return thrown
}

const since = (started: number): number => Math.round(performance.now() - started)
