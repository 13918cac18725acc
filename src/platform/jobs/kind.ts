import { randomFillSync } from 'node:crypto'
import type { Kysely } from 'kysely'
import type { Static, TSchema } from 'typebox'
import type { Tables } from '../db/tables.ts'

export type JobKind<S extends TSchema = TSchema> = {
  /** Its name in the database, in the log and in `fiscal trabalhos`. Never rename it: open jobs have it. */
  kind: string
  /** The payload's shape. It is checked when the job is claimed, as an older version may have written it. */
  payload: S
  /** While a job of this key is open, no other is made. A method, so that all kinds fit one list. */
  key(payload: Static<S>): string
}

export type JobRules = {
  /** How many times a job may begin. A run whose process dies counts. */
  attempts: number
  backoffMs: number
  keptMs: number
}

export type Claimed<P = unknown> = {
  id: string
  /** Proves who has the job: each claim makes a new one, and a write with an older one is refused. */
  token: string
  conta: string
  payload: P
  attempt: number
}

export type Lease = Pick<Claimed, 'id' | 'token'>

export type JobOutcome =
  /** `result` must be JSON; it is kept for `keptMs`. */
  | { type: 'done'; result: unknown; keptMs: number }
  | { type: 'again'; reason: string; delayMs: number }
  /** Given back before it came to anything: it may be claimed at once, and the attempt does not count. */
  | { type: 'back'; reason: string }
  | { type: 'dead'; reason: string }

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

type JobRun = { job: string; outcome: string; ms: number }

/** Takes each run, once. It returns at once and never throws. */
export type JobRunSink = (run: JobRun) => void

export type JobCall = {
  /** The job's id: the same in each attempt, so it serves as an idempotency key towards others. */
  id: string
  conta: string
  /** 1 in the first run. */
  attempt: number
  signal: AbortSignal
}

export type JobDone = {
  result?: unknown
  /** What it writes to this database: in the transaction that ends the job, so exactly once. */
  write?: (on: Kysely<Tables>) => Promise<void>
}

export type Job<S extends TSchema = TSchema> = JobKind<S> &
  JobRules & {
    atOnce: number
    /**
     * Bears repetition after a cut; JobRefused alone is not tried again. A method: all kinds fit one list.
     */
    run(payload: Static<S>, call: JobCall): Promise<JobDone>
  }

/** A run that failed for good: trying again would not help. The message is Portuguese, for operators. */
export class JobRefused extends Error {
  override name = 'JobRefused'
}

/** A digit for each octet: any of sixteen, and any of four where an id has its variant. */
const [DIGITS, VARIANTS] = [Buffer.from('0123456789abcdef'.repeat(16)), Buffer.from('89ab'.repeat(64))]
const VARIANT = 19
const RANDOM = [15, 16, 17, 20, 21, 22, ...Array.from({ length: 12 }, (_, at) => 24 + at)]

/** Octets for 256 ids, of which `used` are. */
const random = Buffer.alloc((1 + RANDOM.length) * 256)
let used = random.length

/** The latest id, over which the next is written: put together of pieces it took four times as long. */
const latest = Buffer.from('00000000-0000-7000-8000-000000000000')
let latestMs = Number.NaN

/** UUID 7 (RFC 9562): ids grow with time, and a charge costs a third of that with random ids. */
export function newRequestId(instant: Date): string {
  const ms = instant.getTime()
  if (ms !== latestMs) {
    const time = ms.toString(16).padStart(12, '0')
    latest.write(`${time.slice(0, 8)}-${time.slice(8)}`)
    latestMs = ms
  }
  if (used === random.length) {
    randomFillSync(random)
    used = 0
  }
  latest[VARIANT] = VARIANTS[random[used++] ?? 0] ?? 0
  for (const at of RANDOM) latest[at] = DIGITS[random[used++] ?? 0] ?? 0
  return latest.toString('latin1')
}
