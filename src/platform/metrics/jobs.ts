import { Counter, type Registry } from 'prom-client'
import type { JobRunSink } from '../jobs/job.ts'

/** Counts the runs of schedules and jobs. They are few: no child is remembered. */
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
