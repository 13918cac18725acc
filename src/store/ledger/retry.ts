import { setTimeout as wait } from 'node:timers/promises'
import { isConnectionLost } from '../db/connection-lost.ts'
import { type Batch, CommitUnknown } from './batch.ts'

/** How long to wait before each new try, in milliseconds: a restart of the database is bridged, a long outage is told. */
const PAUSES = [50, 200, 500, 1_000]

/**
 * Repeats a group that the database could not be reached for. One whose commit may have happened is repeated for as
 * long as it takes to know, unless `signal` ends it: nobody is told of a charge, or of none, on a guess.
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
