import { AsyncLocalStorage } from 'node:async_hooks'
import { setTimeout as delay } from 'node:timers/promises'
import { messageOf } from '../errors.ts'
import { codeOf } from '../wire/fonte.ts'

/** An outage, no defect of ours. `lost`: the work may be sent again; else the database refuses. */
export class DatabaseAway extends Error {
  override name = 'DatabaseAway'
  readonly lost: boolean
  constructor(cause: unknown, { lost }: { lost: boolean }) {
    super(messageOf(cause), { cause })
    this.lost = lost
  }
}

/** SQLSTATE: class 08, a shutdown or a start (57P), a transaction that said nothing for too long (25P03). */
const LOST_STATES = /^(08...|57P0.|25P03)$/
/** Of one that refuses: no room, memory or connections (53), its disk (58), read-only, a cancelled query. */
const REFUSED_STATES = /^(53...|58...|25006|57014)$/
const LOST_CODES = /^(ECONN|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH)/
/** The messages of `pg` for a lost connection without a code, and for a query without an answer. */
const LOST_MESSAGES = /connection terminated|not queryable|timeout exceeded|timeout expired|read timeout/i

export function toOutage(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof DatabaseAway) return error
  const code = codeOf(error)
  if (LOST_STATES.test(code) || LOST_CODES.test(code) || LOST_MESSAGES.test(error.message))
    return new DatabaseAway(error, { lost: true })
  return REFUSED_STATES.test(code) ? new DatabaseAway(error, { lost: false }) : error
}

/** Busy, read-only, an error of the disk, no room, a file that cannot be opened (sqlite.org/rescode.html). */
const REFUSED_BY_SQLITE: ReadonlySet<number> = new Set([5, 8, 10, 13, 14])

export function toFileOutage(error: unknown): unknown {
  const { errcode } = { errcode: 0, ...Object(error) }
  return REFUSED_BY_SQLITE.has(errcode & 0xff) ? new DatabaseAway(error, { lost: false }) : error
}

/** Whether a query failed because the database could not be reached. It may then be sent again. */
export const isConnectionLost = (error: unknown): error is DatabaseAway =>
  error instanceof DatabaseAway && error.lost

/** What was sent may have been committed. Only a repetition can tell. */
export class CommitUnknown extends DatabaseAway {
  override name = 'CommitUnknown'
  constructor(error: unknown) {
    super(error instanceof DatabaseAway ? error.cause : error, { lost: true })
  }
}

/** SQLSTATE of a transaction that PostgreSQL gave up for another's sake: a conflict, a deadlock. */
const GIVEN_UP: ReadonlySet<string> = new Set(['40001', '40P01'])

/** Whether the database gave a transaction up, of which nothing is left then. */
export const wasGivenUp = (error: unknown): boolean => GIVEN_UP.has(codeOf(error))

export class StoreError extends Error {
  override name = 'StoreError'
}

const QUERY_MS = 5_000
/** For work that nobody waits for, and that walks many rows. */
const LONG_MS = 5 * 60_000

const patience = new AsyncLocalStorage<number>()

export const deadlineMs = (): number => patience.getStore() ?? QUERY_MS

export const withPatience = <T>(work: () => Promise<T>): Promise<T> => patience.run(LONG_MS, work)

export const withoutPatience = <T>(work: () => Promise<T>): Promise<T> => patience.run(QUERY_MS, work)

const LOOK_MS = 2_000

/** The outcome of a look at the database; false where it failed, or is not there in two seconds. */
export const within = (look: Promise<boolean>): Promise<boolean> =>
  Promise.race([look.catch(() => false), delay(LOOK_MS, false, { ref: false })])
