import { setTimeout as wait } from 'node:timers/promises'
import { isConnectionLost } from '../db/connection-lost.ts'
import { type Batch, CommitUnknown } from './batch.ts'

/**
 * The pauses before each new try, in milliseconds. They bridge a restart of the database; a long outage is
 * told.
 */
const PAUSES = [50, 200, 500, 1_000]

/**
 * Repeats a group when the database could not be reached. A group whose commit may have happened is repeated
 * until that is known, or until `signal` ends it: nobody is told a guess.
 */
export const retrying =
  (commit: Batch, signal: AbortSignal): Batch =>
  async (orders) => {
    let unknown = false
    for (let attempt = 0; ; attempt++) {
      try {
        return await commit(orders)
      } catch (error) {
        unknown ||= error instanceof CommitUnknown
        const pause = PAUSES[attempt] ?? (unknown ? PAUSES.at(-1) : undefined)
        if (pause === undefined || !(unknown || isConnectionLost(error)) || signal.aborted) throw error
        await wait(pause, undefined, { signal })
      }
    }
  }
