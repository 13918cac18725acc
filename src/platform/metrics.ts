import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import { performance } from 'node:perf_hooks'
import { setTimeout as delay } from 'node:timers/promises'
import Fastify from 'fastify'
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import { ping } from './db/queries.ts'
import type { Outcome, OutcomeSink } from './http/outcome.ts'
import { countOpen } from './jobs/admin.ts'
import type { JobRunSink } from './jobs/kind.ts'
import type { Platform } from './platform.ts'
import { explainAddress } from './start.ts'
import { avisoDeValidade } from './wire/certificado.ts'
import type { Circuito, Leitura } from './wire/leituras.ts'

/** A database that fails hides only what is counted in it: then the other figures are wanted. */
export const COUNT_MS = 2_000

export function watchPlatform(registry: Registry, { db, ledger, cache, certificado, now }: Platform): void {
  const registers = [registry]
  new Gauge({
    name: 'consulta_fiscal_database_usable',
    help: 'Whether the database answers and takes commits: 1, or 0 as on a full disk.',
    registers,
    async collect() {
      const looks = await Promise.all([ping(db), ledger.ready()])
      this.set(looks.includes(false) ? 0 : 1)
    },
  })
  new Gauge({
    name: 'consulta_fiscal_ledger_oldest_order_seconds',
    help: 'Seconds for which the oldest order of the ledger has waited for its commit; 0 where none waits.',
    registers,
    collect() {
      this.set(ledger.oldestMs() / 1_000)
    },
  })
  new Counter({
    name: 'consulta_fiscal_ledger_groups_total',
    help: 'Groups of orders that the ledger committed: charges alone go the short way.',
    labelNames: ['way'],
    registers,
    collect() {
      this.reset()
      for (const [way, count] of Object.entries(ledger.ways)) this.inc({ way }, count)
    },
  })
  new Gauge({
    name: 'consulta_fiscal_certificate_days',
    help: "Whole days until the operator's certificate ends; negative after it. Absent without one.",
    registers,
    collect() {
      this.remove()
      if (certificado) this.set(avisoDeValidade(certificado, now()).dias)
    },
  })
  new Counter({
    name: 'consulta_fiscal_cache_reads_total',
    help: 'Reads of the cache, by the shape of what is kept.',
    labelNames: ['shape', 'result'],
    registers,
    collect() {
      this.reset()
      for (const [shape, { hits, misses }] of cache.reads()) {
        this.inc({ shape, result: 'hit' }, hits)
        this.inc({ shape, result: 'miss' }, misses)
      }
    },
  })
  new Gauge({
    name: 'consulta_fiscal_jobs_open',
    help: 'Durable jobs that are not done yet, on all nodes.',
    labelNames: ['job'],
    registers,
    async collect() {
      this.reset()
      const late = delay(COUNT_MS, [], { ref: false })
      const counted = await Promise.race([countOpen(db).catch(() => []), late])
      for (const { kind, open } of counted) this.set({ job: kind }, Number(open))
    },
  })
  watchEventLoop(registers)
}

function watchEventLoop(registers: Registry[]): void {
  let last = performance.eventLoopUtilization()
  new Gauge({
    name: 'consulta_fiscal_event_loop_utilization_ratio',
    help: 'Share of the time since the last scrape in which the event loop was busy, 0 to 1.',
    registers,
    collect() {
      const current = performance.eventLoopUtilization()
      this.set(performance.eventLoopUtilization(current, last).utilization)
      last = current
    },
  })
}

export function countJobs(registry: Registry): JobRunSink {
  const registers = [registry]
  const runs = new Counter({
    name: 'consulta_fiscal_job_runs_total',
    help: 'Runs of schedules (done, failed) and of durable jobs (done, again, dead, back, lost).',
    labelNames: ['job', 'outcome'],
    registers,
  })
  const seconds = new Counter({
    name: 'consulta_fiscal_job_run_seconds_total',
    help: 'Time that runs took.',
    labelNames: ['job'],
    registers,
  })
  return ({ job, outcome, ms }) => {
    runs.inc({ job, outcome })
    seconds.inc({ job }, ms / 1000)
  }
}

const SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20, 45, 60]

export function countRequests(registry: Registry): OutcomeSink {
  const registers = [registry]
  const requests = new Counter({
    name: 'consulta_fiscal_http_requests_total',
    help: 'Requests that ended, by the path of their route; 499 is a client that left.',
    labelNames: ['method', 'route', 'status'],
    registers,
  })
  const duration = new Histogram({
    name: 'consulta_fiscal_http_request_duration_seconds',
    help: 'Time from the first byte of a request to the end of its response.',
    labelNames: ['method', 'route'],
    buckets: SECONDS,
    registers,
  })
  const errors = new Counter({
    name: 'consulta_fiscal_http_errors_total',
    help: 'Failures that were answered, by their code.',
    labelNames: ['route', 'code'],
    registers,
  })
  const credits = new Counter({
    name: 'consulta_fiscal_credits_charged_total',
    help: 'Credits that were charged.',
    labelNames: ['route'],
    registers,
  })
  return ({ method, endpoint: route, http, error_code: code, creditos, ms }: Outcome) => {
    requests.inc({ method, route, status: http })
    duration.observe({ method, route }, ms / 1000)
    if (code !== '') errors.inc({ route, code })
    if (creditos > 0) credits.inc({ route }, creditos)
  }
}

const SOURCE_SECONDS = [0.25, 0.5, 1, 2.5, 5, 10, 20, 45, 60]

export function countSources(registry: Registry, now: () => Date): (leitura: Leitura) => void {
  const registers = [registry]
  const circuits = new Map<string, Circuito>()
  const queries = new Counter({
    name: 'consulta_fiscal_source_queries_total',
    help: 'Queries that were sent to a source: answered, answered with nothing (empty), or the kind of failure.',
    labelNames: ['source', 'outcome'],
    registers,
  })
  const duration = new Histogram({
    name: 'consulta_fiscal_source_query_duration_seconds',
    help: 'Time from the sending of a query to its end.',
    labelNames: ['source'],
    buckets: SOURCE_SECONDS,
    registers,
  })
  new Gauge({
    name: 'consulta_fiscal_source_circuit_state',
    help: 'The circuit of a source on this node: 0 closed, 1 open, 2 the next query tells.',
    labelNames: ['source'],
    registers,
    collect() {
      for (const [source, circuito] of circuits) this.set({ source }, stateOf(circuito, now()))
    },
  })
  return ({ fonte: source, ms, falha, vazia, circuito }) => {
    queries.inc({ source, outcome: falha?.tipo ?? (vazia ? 'empty' : 'answered') })
    duration.observe({ source }, ms / 1000)
    circuits.set(source, circuito)
  }
}

/** A circuit as it stands now, by the last query: an open one is left alone until its time only. */
function stateOf(circuito: Circuito, instant: Date): number {
  if (circuito.estado === 'fechado') return 0
  return circuito.estado === 'aberto' && instant < circuito.ate ? 1 : 2
}

/** No label holds a document, a key, an account or a raw URL (docs/operations/metrics.md). */
export type Metrics = {
  note: OutcomeSink
  onCall: (leitura: Leitura) => void
  onRun: JobRunSink
  watch: (room: (registry: Registry) => void) => void
  read: () => Promise<{ text: string; type: string }>
}

export function openMetrics(now: () => Date): Metrics {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  return {
    note: countRequests(registry),
    onCall: countSources(registry, now),
    onRun: countJobs(registry),
    watch: (room) => room(registry),
    read: async () => ({ text: await registry.metrics(), type: registry.contentType }),
  }
}

export type Scrape = { address: string; close: () => Promise<void> }

const STUCK_MS = 10_000

/** The most connections, of all and of one address: a scraper needs one, and keeps none. */
const MOST = { all: 32, each: 8 }

/** How long figures are good. To draw them takes the event loop as long as many requests. */
const KEPT_MS = 1_000

/** On a port of its own, drawn once a second at most. Throws StartError. */
export async function serveMetrics(
  { read }: Metrics,
  { host, port, clock }: { host: string; port: number; clock: () => number },
): Promise<Scrape> {
  const figures = keepFigures(read, clock)
  const app = Fastify({
    requestTimeout: STUCK_MS,
    connectionTimeout: STUCK_MS,
    // Fastify's 72 s would hold the place of who leaves his answer unread.
    keepAliveTimeout: STUCK_MS,
    // Who wants more than one answer pays for more than one connection.
    maxRequestsPerSocket: 1,
    bodyLimit: 1,
    forceCloseConnections: true,
    logger: false,
  })
  app.removeAllContentTypeParsers()
  capConnections(app.server)
  // The words of a failure are not for this port: the scrape failed, and Prometheus says so.
  app.setErrorHandler((_error, _request, reply) => reply.code(500).send())
  app.get('/metrics', async (_request, reply) => {
    const { text, type } = await figures()
    return reply.type(type).send(text)
  })
  const address = await app.listen({ host, port }).catch((error) => {
    throw explainAddress(error, `${host}:${port}`, { host: 'METRICS_HOST', port: 'METRICS_PORT' })
  })
  return { address, close: () => app.close() }
}

function keepFigures(
  read: Metrics['read'],
  clock: () => number,
): () => Promise<{ text: Buffer; type: string }> {
  let drawn: { at: number; figures: Promise<{ text: Buffer; type: string }> } | undefined
  let drawing = false
  return () => {
    const isOld = drawn === undefined || Math.abs(clock() - drawn.at) >= KEPT_MS
    if (drawn && (drawing || !isOld)) return drawn.figures
    drawing = true
    const figures = read()
      .then(({ text, type }) => ({ text: Buffer.from(text), type }))
      .finally(() => {
        drawing = false
      })
    drawn = { at: clock(), figures }
    return figures
  }
}

function capConnections(server: Server): void {
  const of = new Map<string, number>()
  server.maxConnections = MOST.all
  server.on('connection', (socket: Socket) => {
    const { remoteAddress = '' } = socket
    const open = (of.get(remoteAddress) ?? 0) + 1
    if (open > MOST.each) {
      socket.destroy()
      return
    }
    of.set(remoteAddress, open)
    socket.once('close', () => {
      const left = (of.get(remoteAddress) ?? 1) - 1
      if (left === 0) of.delete(remoteAddress)
      else of.set(remoteAddress, left)
    })
  })
}
