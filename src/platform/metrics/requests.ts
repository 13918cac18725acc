import { Counter, Histogram, type Registry } from 'prom-client'
import type { Outcome, OutcomeSink } from '../http/domain-outcome.ts'
import { children } from './children.ts'

/** From a look-up in memory to a note that takes a minute. */
const SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20, 45, 60]

/** Counts requests, their time, their failures and what they charged. */
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
