import { performance } from 'node:perf_hooks'
import { setTimeout as delay } from 'node:timers/promises'
import { Counter, Gauge, type Registry } from 'prom-client'
import { ping } from '../db/queries.ts'
import { countOpen } from '../jobs/admin.ts'
import type { JobRunSink } from '../jobs/kind.ts'
import type { Platform } from '../platform.ts'
import { avisoDeValidade } from '../wire/certificado.ts'

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
