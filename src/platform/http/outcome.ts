import type { Server, ServerResponse } from 'node:http'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { maskDocumento } from '../../documento/documento.ts'
import { type Ambito, findAmbito } from '../../documento/uf.ts'
import type { ErrorCode } from '../errors.ts'
import type { ContaAutenticada } from '../ledger/rules.ts'
import type { Log } from '../start.ts'
import { noFailures, type SourceFailures, type SourcesTold } from '../wire/source-status.ts'

/** Milliseconds. Node notices a stuck connection after one or two of these periods. */
export const STUCK_MS = 30_000

/** An answer that has not begun may wait for an authority, so it is not stuck. */
export function dropStuckConnections(server: Server): void {
  server.on('request', (_request, response) => response.on('timeout', dropIfAnswering))
}

function dropIfAnswering(this: ServerResponse): void {
  if (this.headersSent) this.destroy()
}

/** The client left. Only what was delivered is charged, and it is no failure of the service. */
export class ClientLeft extends Error {
  override name = 'ClientLeft'
}

/** Whether a response went out whole. One asked for in this process says so by its event alone. */
function watchEnd(raw: ServerResponse): () => boolean {
  let isWhole = false
  raw.on('finish', () => {
    // An aborted one says it too, when its pipeline ends it.
    isWhole = !raw.destroyed
  })
  return () => isWhole || raw.writableFinished
}

const leavings = new WeakMap<ServerResponse, AbortSignal>()

/** One a response, however many calls are made for it: each would listen to its end by itself. */
export function signalOfLeaving(raw: ServerResponse): AbortSignal {
  const known = leavings.get(raw)
  if (known) return known
  const leaving = new AbortController()
  leavings.set(raw, leaving.signal)
  const isWhole = watchEnd(raw)
  const onClose = () => {
    if (!isWhole()) leaving.abort(new ClientLeft('the client left before the answer'))
  }
  if (raw.closed) onClose()
  else raw.once('close', onClose)
  return leaving.signal
}

export const DIAS_DO_REGISTRO = 90

export type Outcome = SourceFailures & {
  request_id: string
  /** The caller's `traceparent` (W3C Trace Context), if it sent one that keeps its form. */
  traceparent?: string | undefined
  conta: string | undefined
  method: string
  endpoint: string
  /** The CNPJ, else CPF, state registration or key of an NF-e, masked. Empty if none. */
  document: string
  sent: Readonly<Record<string, string>>
  uf: Ambito | ''
  /** The status of the response; 499 if the client left before it was complete. */
  http: number
  error_code: ErrorCode | ''
  /** Why no source answered, of an answer that tells nothing else and was free. */
  silence?: SourcesTold['silence']
  /** What was charged, once all of it is settled. */
  creditos: number
  cached: boolean
  /** Milliseconds from the first byte to the end of the response, to a tenth. */
  ms: number
}

/** Once a request. It returns at once and never throws. */
export type OutcomeSink = (outcome: Outcome) => void

type Tally = {
  startedMs: number
  conta: ContaAutenticada | undefined
  acesso: string | undefined
  document: string
  error_code: ErrorCode | ''
  creditos: number
  cached: boolean
  failures: SourcesTold
  /** Ends when the credits are settled, which may be after the client left; undefined from then on. */
  settling: Promise<unknown> | undefined
}

declare module 'fastify' {
  interface FastifyRequest {
    tally: Tally | null
  }
}

/** The status of a request whose client left before the response was complete, as nginx has it. */
const LEFT = 499

const DOCUMENTS = ['cnpj', 'cpf', 'ie']

/**
 * Hands the outcome of every request to each sink once, when the response has ended and its credits are
 * settled. Closing the app waits for the calls whose clients left: they may have sent an event (decision 17).
 */
export function recordOutcomes(app: FastifyInstance, sinks: readonly OutcomeSink[]): void {
  const settling = new Set<Promise<void>>()
  app.decorateRequest('tally', null)
  app.addHook('onClose', async () => {
    await Promise.all(settling)
  })
  app.addHook('onRequest', (request, reply, done) => {
    const tally = newTally()
    request.tally = tally
    const isWhole = watchEnd(reply.raw)
    // It comes once. To listen for one event alone would make two more objects.
    reply.raw.on('close', () => {
      const ms = Math.round((performance.now() - tally.startedMs) * 10) / 10
      // What fails after the client has left is answered to nobody.
      const { error_code } = tally
      const tell = (): void => {
        const outcome = outcomeOf(request, { ms, error_code, http: isWhole() ? reply.statusCode : LEFT })
        for (const sink of sinks) sink(outcome)
      }
      // Nearly every call is settled before its response goes out.
      if (!tally.settling) return tell()
      const told: Promise<void> = tally.settling.then(tell, tell).finally(() => settling.delete(told))
      settling.add(told)
    })
    done()
  })
}

const newTally = (): Tally => ({
  startedMs: performance.now(),
  conta: undefined,
  acesso: undefined,
  document: '',
  error_code: '',
  creditos: 0,
  cached: false,
  failures: noFailures,
  settling: undefined,
})

export function tallyOf({ tally }: FastifyRequest): Tally {
  if (tally === null) throw new Error('no outcome is recorded of this request')
  return tally
}

function outcomeOf(request: FastifyRequest, ended: Pick<Outcome, 'ms' | 'error_code' | 'http'>): Outcome {
  const { conta, document, creditos, cached, failures } = tallyOf(request)
  const { ms, error_code, http } = ended
  const query: Readonly<Record<string, unknown>> = Object(request.query)
  const sent = maskedDocuments(query)
  // Nobody was told them of an answer that did not arrive.
  const isTold = http < 400 || (error_code !== '' && error_code === failures.source_code)
  const { source_failures, source_code, silence } = isTold ? failures : noFailures
  return {
    request_id: request.id,
    traceparent: traceparentOf(request),
    conta: conta?.id,
    method: request.method,
    endpoint: request.routeOptions.url ?? '(desconhecida)',
    document: sent.cnpj ?? sent.cpf ?? sent.ie ?? document,
    sent,
    uf: typeof query.uf === 'string' ? (findAmbito(query.uf) ?? '') : '',
    http,
    error_code,
    silence: creditos === 0 && !cached ? silence : '',
    creditos,
    cached,
    ms,
    source_failures,
    source_code,
  }
}

/** Version, trace, parent, flags. Version ff, an empty trace and an empty parent are invalid (W3C, 3.2). */
const TRACEPARENT = /^(?!ff)[0-9a-f]{2}-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}$/

/** Only what has the form is taken, so that no text of a stranger gets into the log. */
function traceparentOf({ headers: { traceparent } }: FastifyRequest): string | undefined {
  return typeof traceparent === 'string' && TRACEPARENT.test(traceparent) ? traceparent : undefined
}

function maskedDocuments(query: Readonly<Record<string, unknown>>): Record<string, string> {
  const masked: Record<string, string> = {}
  for (const name in query) if (DOCUMENTS.includes(name)) masked[name] = maskDocumento(String(query[name]))
  return masked
}

/** One log line a request, at level `info`. The raw URL is never logged. */
export const logOutcomes =
  (log: Log): OutcomeSink =>
  (outcome) => {
    if (log.isLevelEnabled?.('info') === false) return
    const { request_id, traceparent, conta, method, endpoint, sent, http, creditos, ms } = outcome
    const { error_code, source_failures, source_code } = outcome
    log.info({
      request_id,
      traceparent,
      conta,
      method,
      endpoint,
      ...sent,
      http,
      error_code: error_code || undefined,
      source_failures: source_failures || undefined,
      source_code: source_code || undefined,
      creditos,
      ms,
    })
  }
