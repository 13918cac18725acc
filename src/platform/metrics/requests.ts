import { Counter, Gauge, Histogram, type Registry } from 'prom-client'
import type { Outcome, OutcomeSink } from '../http/outcome.ts'
import type { Circuito, Leitura } from '../wire/leitura.ts'

/** To find a child by its labels, prom-client hashes an object for each request. */
function children<C>(make: (...labels: string[]) => C): (...labels: string[]) => C {
  const known = new Map<string, C>()
  return (...labels) => {
    const key = labels.join(' ')
    const found = known.get(key)
    if (found) return found
    const made = make(...labels)
    known.set(key, made)
    return made
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
  const requestsOf = children((...labels) => requests.labels(...labels))
  const durationOf = children((...labels) => duration.labels(...labels))
  const errorsOf = children((...labels) => errors.labels(...labels))
  const creditsOf = children((...labels) => credits.labels(...labels))
  return ({ method, endpoint, http, error_code, creditos, ms }: Outcome) => {
    requestsOf(method, endpoint, String(http)).inc()
    durationOf(method, endpoint).observe(ms / 1000)
    if (error_code !== '') errorsOf(endpoint, error_code).inc()
    if (creditos > 0) creditsOf(endpoint).inc(creditos)
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
  const queriesOf = children((...labels) => queries.labels(...labels))
  const durationOf = children((...labels) => duration.labels(...labels))
  return ({ fonte, ms, falha, vazia, circuito }) => {
    queriesOf(fonte, falha?.tipo ?? (vazia ? 'empty' : 'answered')).inc()
    durationOf(fonte).observe(ms / 1000)
    circuits.set(fonte, circuito)
  }
}

/** A circuit as it stands now, by the last query: an open one is left alone until its time only. */
function stateOf(circuito: Circuito, instant: Date): number {
  if (circuito.estado === 'fechado') return 0
  return circuito.estado === 'aberto' && instant < circuito.ate ? 1 : 2
}
