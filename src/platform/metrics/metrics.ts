import { collectDefaultMetrics, Registry } from 'prom-client'
import type { OutcomeSink } from '../http/outcome.ts'
import type { JobRunSink } from '../jobs/kind.ts'
import type { Leitura } from '../wire/leitura.ts'
import { countRequests, countSources } from './requests.ts'
import { countJobs } from './service.ts'

/**
 * The figures of this process, for Prometheus. No label holds a document, a key, an account or a raw URL, and
 * each comes from a set that the code bounds. docs/operations.md lists them.
 */
export type Metrics = {
  /** Takes the outcome of each request. */
  note: OutcomeSink
  /** Takes the reading of each query to a source. */
  onCall: (leitura: Leitura) => void
  /** Takes each run of a schedule or a job. */
  onRun: JobRunSink
  /** From here on the figures of a room are read at each scrape. */
  watch: (room: (registry: Registry) => void) => void
  /** All figures as text, and its media type. */
  read: () => Promise<{ text: string; type: string }>
}

/** Opens the figures, in a registry of their own. `now`: the clock that circuits are held against. */
export function openMetrics(now: () => Date): Metrics {
  const registry = new Registry()
  // The process, its memory, its collector, and the delay of the event loop since the last scrape.
  collectDefaultMetrics({ register: registry })
  return {
    note: countRequests(registry),
    onCall: countSources(registry, now),
    onRun: countJobs(registry),
    watch: (room) => room(registry),
    read: async () => ({ text: await registry.metrics(), type: registry.contentType }),
  }
}
