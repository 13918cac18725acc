import { collectDefaultMetrics, Registry } from 'prom-client'
import type { OutcomeSink } from '../http/outcome.ts'
import type { JobRunSink } from '../jobs/kind.ts'
import type { Leitura } from '../wire/leitura.ts'
import { countRequests, countSources } from './requests.ts'
import { countJobs } from './service.ts'

/** No label holds a document, a key, an account or a raw URL (docs/operations.md). */
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
