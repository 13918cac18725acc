import {
  BrokenCircuitError,
  BulkheadRejectedError,
  bulkhead,
  CircuitState,
  ConsecutiveBreaker,
  circuitBreaker,
  handleWhen,
  type IPolicy,
  TaskCancelledError,
  wrap,
} from 'cockatiel'
import { type CodigoDaFalha, codeOf, RotaNaoAtende, type Source, SourceError } from './fonte.ts'
import { DeadlineError, toSourceError, untilAborted } from './http.ts'
import { type Anotacao, type Circuito, type FalhaDaFonte, type Leitura, MOST_ROTULOS } from './leituras.ts'

type BreakerOptions = { failures: number; pauseMs: number; now: () => Date }

type Breaker = { policy: IPolicy; circuito: () => Circuito; isTrying: () => boolean }

/** After so many failures in a row of the source as a whole. After the pause one query tries it. */
function createBreaker({ failures, pauseMs, now }: BreakerOptions): Breaker {
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

type GuardLimits = {
  simultaneous: number
  waiting: number
  /** In a row, and for how long it is then not asked. */
  failures: number
  pauseMs: number
}

type Gate = {
  /** Within `deadlineMs`. Throws what `send` throws, or errors of cockatiel if it was not run. */
  pass: <T>(deadlineMs: number, send: () => Promise<T>) => Promise<T>
  circuito: () => Circuito
}

/** A query sent with no time left would make the source look slow. */
const WAIT_SHARE = 0.5

/**
 * Takes the next of the instants at which a source may be asked, `gapMs` apart, and gives the wait for it in
 * milliseconds; undefined where that is over `patienceMs`.
 */
type Reserve = (
  fonte: string,
  pace: { gapMs: number; patienceMs: number },
) => number | undefined | Promise<number | undefined>

type Pace = { fonte: string; gapMs: number; reserve: Reserve }

function openGate(limits: GuardLimits, { fonte, gapMs, reserve }: Pace, now: () => Date): Gate {
  const { policy: breaker, circuito, isTrying } = createBreaker({ ...limits, now })
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
    const turn = reserve(fonte, { gapMs, patienceMs: deadlineMs * WAIT_SHARE })
    const waitMs = turn instanceof Promise ? await turn : turn
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

/** The instants of this process alone. */
function openPace(): Reserve {
  let free = Number.NEGATIVE_INFINITY
  return (_fonte, { gapMs, patienceMs }) => {
    const now = performance.now()
    const turn = Math.max(now, free)
    if (turn - now > patienceMs) return undefined
    free = turn + gapMs
    return turn - now
  }
}

const standardLimits: GuardLimits = { simultaneous: 20, waiting: 200, failures: 5, pauseMs: 30_000 }

type Query = {
  source: Source
  /** Milliseconds that it may take, with all its waiting. */
  deadlineMs: number
  request_id: string
  paceMs?: number | undefined
}

export type Guard = <T>(
  query: Query,
  run: (leftMs: number, note: (anotacao: Anotacao) => void) => Promise<T>,
) => Promise<T>

type WatchedGuard = Guard & { circuit: (id: string) => Circuito }

type Log = { info: (fields: object, message: string) => void }

type Options = {
  limits?: GuardLimits
  pace?: number
  /** The instants that several processes share; else each source has those of this one. */
  reserve?: Reserve | undefined
  now?: () => Date
  onCall?: (leitura: Leitura) => void
}

/**
 * Opens a gate for each source: a bulkhead, a circuit breaker, and turns where it has a pace. Throws what
 * `run` throws, and a SourceError of kind `blocked` for a query that was not sent.
 */
export function createGuard(log: Log, options: Options = {}): WatchedGuard {
  const { limits = standardLimits, pace = 1, now = () => new Date(), onCall = () => {} } = options
  const gates = new Map<string, Gate>()
  const gateOf = ({ source: { id: fonte }, paceMs = 0 }: Query): Gate => {
    const shared = { fonte, gapMs: paceMs * pace, reserve: options.reserve ?? openPace() }
    const gate = gates.get(fonte) ?? openGate(limits, shared, now)
    gates.set(fonte, gate)
    return gate
  }
  const guard: Guard = async (query, run) => {
    const { source, deadlineMs } = query
    const gate = gateOf(query)
    const report = openReport(query, gate, { log, now, onCall })
    try {
      // Its time went by elsewhere: that says nothing of the source.
      if (deadlineMs <= 0) throw toSourceError(new DeadlineError(), source, 0)
      const answer = await gate.pass(deadlineMs, () => run(report.send(), report.note))
      report.answered()
      return answer
    } catch (thrown) {
      const error = explain(thrown, source, () => pauseOf(gate, now()))
      report.failed(error)
      throw error
    }
  }
  const circuit = (id: string): Circuito => gates.get(id)?.circuito() ?? { estado: 'fechado' }
  return Object.assign(guard, { circuit })
}

type Report = {
  send: () => number
  note: (anotacao: Anotacao) => void
  answered: () => void
  failed: (error: unknown) => void
}

/** With no document. A query that was not sent says nothing of the source. */
function openReport(
  { source, deadlineMs, request_id }: Query,
  gate: Gate,
  { log, now, onCall }: { log: Log } & Required<Pick<Options, 'now' | 'onCall'>>,
): Report {
  const started = performance.now()
  let sent: number | undefined
  let anotacao: Anotacao = {}
  const tell = (message: string, fields: object, falha?: Omit<FalhaDaFonte, 'em'>): void => {
    const rotulos = (anotacao.rotulos ?? []).slice(0, MOST_ROTULOS)
    const novos = rotulos.length > 0 && { rotulos_novos: rotulos }
    log.info({ source: source.id, request_id, ...fields, ...novos, ms: since(started) }, message)
    if (sent === undefined) return
    const em = now()
    const vazia = falha === undefined && anotacao.vazia === true
    const incompleta = falha === undefined && anotacao.incompleta === true
    const fate = { falha: falha && { ...falha, em }, vazia, incompleta, rotulos, circuito: gate.circuito() }
    onCall({ fonte: source.id, em, ms: since(sent), ...fate })
  }
  return {
    send: () => {
      sent = performance.now()
      return Math.max(1, deadlineMs - since(started))
    },
    note: (told) => {
      anotacao = { ...anotacao, ...told }
    },
    answered: () => tell('source answered', {}),
    failed: (error) => {
      if (error instanceof SourceError) tell('source failed', fieldsOf(error), falhaOf(error))
      else if (error instanceof RotaNaoAtende && error.codigo !== undefined) {
        // The source did not fail, so its circuit stays as it is. The operator has to mend the captcha.
        const { codigo } = error
        tell('source failed', { kind: 'blocked', codigo }, { tipo: 'blocked', codigo })
      } else tell('source refused the question', {})
    },
  }
}

const fieldsOf = ({ kind, status: http, codigo, cause }: SourceError): object => ({
  kind,
  http,
  codigo,
  causa: codeOf(cause) || undefined,
})

/** The failure that is kept of a source: with one code, the most telling one. */
function falhaOf({ kind, status, codigo, cause }: SourceError): Omit<FalhaDaFonte, 'em'> {
  const http = status === undefined ? undefined : `HTTP ${status}`
  return { tipo: kind, codigo: codigo ?? http ?? codeOf(cause) }
}

function pauseOf(gate: Gate, now: Date): number | undefined {
  const circuito = gate.circuito()
  if (circuito.estado !== 'aberto') return undefined
  return Math.max(1, Math.ceil((circuito.ate.getTime() - now.getTime()) / 1000))
}

/** Any other error passes. `pauseS` gives the rest of a broken circuit's pause. */
function explain(thrown: unknown, source: Source, pauseS: () => number | undefined): unknown {
  const notSent = (codigo: CodigoDaFalha, why: string, retryS?: number): SourceError =>
    new SourceError('blocked', `${source.nome} ${why}`, { source: source.id, elapsedMs: 0, codigo, retryS })
  if (thrown instanceof BrokenCircuitError)
    return notSent('circuito-aberto', 'falhou várias vezes seguidas e está sem consultas por ora.', pauseS())
  if (thrown instanceof BulkheadRejectedError || thrown instanceof TaskCancelledError)
    return notSent('fila', 'já tem consultas demais na fila.')
  return thrown
}

const since = (started: number): number => Math.round(performance.now() - started)
