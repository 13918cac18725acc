import { setTimeout as wait } from 'node:timers/promises'
import { isConnectionLost } from '../db/outage.ts'
import { codeOf } from '../wire/error-code.ts'
import { type Batch, CommitUnknown } from './batch.ts'

/**
 * The pauses before each new try, in milliseconds. They bridge a restart of the database; a long outage is
 * told.
 */
const PAUSES = [50, 200, 500, 1_000]
/** After this time no new try begins: who waits is told. It covers a query that found no end. */
const LONGEST_MS = 8_000

/** SQLSTATE of a transaction that PostgreSQL gave up for another's sake: a deadlock, a conflict. */
const GIVEN_UP: ReadonlySet<string> = new Set(['40001', '40P01'])

/**
 * Repeats a group when the database could not be reached, or gave its transaction up for another's. A group
 * whose commit may have happened is repeated until that is known, or until `signal` ends it: nobody is told a
 * guess.
 */
export const retrying =
  (commit: Batch, signal: AbortSignal): Batch =>
  async (orders) => {
    const began = performance.now()
    let unknown = false
    for (let attempt = 0; ; attempt++) {
      try {
        return await commit(orders)
      } catch (error) {
        unknown ||= error instanceof CommitUnknown
        const late = performance.now() - began > LONGEST_MS
        const pause = late ? undefined : PAUSES[attempt]
        const again = isConnectionLost(error) || GIVEN_UP.has(codeOf(error))
        if (signal.aborted || !(unknown || (again && pause !== undefined))) throw error
        await wait(pause ?? PAUSES.at(-1), undefined, { signal }).catch(() => {
          throw error
        })
      }
    }
  }
