import type { Db } from '../db/db.ts'
import type { Bell } from './bell.ts'
import { lookUntil } from './clock.ts'

/** How a job ended. */
type JobEnd = { state: 'done'; result: unknown } | { state: 'dead'; reason: string }

/** How callers in this process wait for the end of a job. */
export type Waiting = {
  /**
   * How a job ended; undefined if it has not within `ms`, or before `letGo`, or is not known any more. Throws
   * the reason of `leaving` once that is aborted.
   */
  waitFor: (id: string, ms: number, leaving?: AbortSignal) => Promise<JobEnd | undefined>
  /** This process stops: nobody waits any longer, now or later. The jobs go on. */
  letGo: () => void
}

/** How often a caller looks whether another node has finished what it waits for. */
const LOOK_MS = 250

/** Opens the waiting. The bell spares a caller its next look where this process ends the job. */
export function openWaiting(db: Db, bell: Bell): Waiting {
  let isOver = false
  return {
    waitFor: async (id, ms, leaving) => {
      const ear = bell.listen(endOf(id))
      try {
        const end = await lookUntil(() => selectEnd(db, id), {
          everyMs: LOOK_MS,
          forMs: ms,
          pause: ear.pause,
          isOver: () => isOver || leaving?.aborted === true,
        })
        leaving?.throwIfAborted()
        return end
      } finally {
        ear.close()
      }
    },
    letGo: () => {
      isOver = true
    },
  }
}

/** What the bell calls the end of a job. */
export const endOf = (id: string): string => `end ${id}`

async function selectEnd({ kysely }: Db, id: string): Promise<JobEnd | undefined> {
  const row = await kysely
    .selectFrom('trabalhos')
    .select(['estado', 'resultado', 'motivo'])
    .where('id', '=', id)
    .executeTakeFirst()
  if (row?.estado === 'feito') return { state: 'done', result: JSON.parse(row.resultado ?? 'null') }
  return row?.estado === 'morto' ? { state: 'dead', reason: row.motivo ?? '' } : undefined
}
