import type { Kysely } from 'kysely'
import type { Static, TSchema } from 'typebox'
import type { Tables } from '../db/tables.ts'
import type { JobKind, JobRules } from './kind.ts'

/** How a run of a job or a schedule ended. */
type JobRun = { job: string; outcome: string; ms: number }

/** Takes each run, once. It returns at once and never throws. */
export type JobRunSink = (run: JobRun) => void

/** What a run is given beside its payload. */
export type JobCall = {
  /** The job's id: the same in each attempt, so it serves as an idempotency key towards others. */
  id: string
  /** The id of the account that asked for it. What the run asks for in turn stands in its queue. */
  conta: string
  /** 1 in the first run. */
  attempt: number
  /** Ends the run: its lease was lost, its time is over, or the process stops. Hand it to what waits. */
  signal: AbortSignal
}

/** What a run leaves. */
export type JobDone = {
  /** JSON that `waitFor` gives to whoever waits; null without it. */
  result?: unknown
  /** What it writes to this database: in the transaction that ends the job, so exactly once. */
  write?: (on: Kysely<Tables>) => Promise<void>
}

/** Durable work: one file of `src/jobs` each. See docs/adding-a-job.md. */
export type Job<S extends TSchema = TSchema> = JobKind<S> &
  JobRules & {
    /** How many of them a node runs at once. */
    atOnce: number
    /**
     * Does the work, and bears to be repeated after a cut at any point; JobRefused alone is not tried again.
     * It is a method, so that jobs of different payloads stand in one list.
     */
    run(payload: Static<S>, call: JobCall): Promise<JobDone>
  }

/** A run that failed for good: trying again would not help. The message is Portuguese, for operators. */
export class JobRefused extends Error {
  override name = 'JobRefused'
}
