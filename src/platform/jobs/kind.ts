import type { Kysely } from 'kysely'
import type { Static, TSchema } from 'typebox'
import type { Tables } from '../db/tables.ts'

/** What names a kind of durable work and says what its payload holds: all that asking for it takes. */
export type JobKind<S extends TSchema = TSchema> = {
  /** Its name in the database, in the log and in `fiscal trabalhos`. Never rename it: open jobs have it. */
  kind: string
  /** The payload's shape. It is checked when the job is claimed, as an older version may have written it. */
  payload: S
  /**
   * What makes two payloads the same work: while a job of this key is open, another is not made. A method, so
   * that kinds of different payloads stand in one list.
   */
  key(payload: Static<S>): string
}

/** How a kind of work is done: what claiming it takes. */
export type JobRules = {
  /** How many times a job may begin. A run whose process dies counts. */
  attempts: number
  /**
   * Milliseconds between a failure and the next try: about this after the first, twice as much after each.
   */
  backoffMs: number
  /** Milliseconds for which a result is kept. */
  keptMs: number
}

/** A claimed job. */
export type Claimed<P = unknown> = {
  id: string
  /** Proves who has the job: each claim makes a new one, and a write with an older one is refused. */
  token: string
  /** The id of the account that asked for it; empty where none did. */
  conta: string
  payload: P
  /** 1 in the first run. */
  attempt: number
}

/** The part of a claimed job by which its holder is known. */
export type Lease = Pick<Claimed, 'id' | 'token'>

/** What a run came to. `reason` is Portuguese: operators read it. */
export type JobOutcome =
  /** `result` must be JSON; it is kept for `keptMs`. */
  | { type: 'done'; result: unknown; keptMs: number }
  | { type: 'again'; reason: string; delayMs: number }
  /** Given back before it came to anything: it may be claimed at once, and the attempt does not count. */
  | { type: 'back'; reason: string }
  | { type: 'dead'; reason: string }

/** How long a dead job is kept for operators to see and repeat. */
export const DEAD_KEPT_MS = 30 * 24 * 60 * 60_000

const LONGEST_DELAY_MS = 6 * 60 * 60_000

/**
 * Milliseconds until the next try after `attempt` runs: doubled after each, six hours at most, and less by up
 * to a half at random, so that jobs that failed together do not come back together. `random` gives 0 to 1.
 */
export function backoffMs(base: number, attempt: number, random: () => number = Math.random): number {
  const whole = Math.min(LONGEST_DELAY_MS, base * 2 ** (attempt - 1))
  return Math.round(whole * (1 - random() / 2))
}

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
