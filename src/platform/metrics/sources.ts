import { Counter, Gauge, Histogram, type Registry } from 'prom-client'
import type { Circuito, Leitura } from '../wire/leitura.ts'
import { children } from './children.ts'

const SECONDS = [0.25, 0.5, 1, 2.5, 5, 10, 20, 45, 60]

/** Counts the queries to each source, how they ended and how long they took, and tells its circuit. */
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
    buckets: SECONDS,
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
