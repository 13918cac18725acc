import { setTimeout as delay } from 'node:timers/promises'
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../db/db.ts'

/** Milliseconds since 1970. On PostgreSQL the database's, read once a statement for the index's sake. */
export const clockOf = ({ dialect }: Pick<Db, 'dialect'>, local: () => number): RawBuilder<number> =>
  dialect === 'postgres'
    ? sql<number>`(select cast(extract(epoch from clock_timestamp()) * 1000 as bigint))`
    : sql<number>`cast(${Math.floor(local())} as bigint)`

/**
 * The clock of this process on the embedded database. It starts at the machine's time and is not set again: a
 * clock that jumps ends no lease and holds no job back while the process lives.
 */
export const steadyClock = (): number => performance.timeOrigin + performance.now()

type Looking = {
  everyMs: number
  forMs: number
  pause?: (ms: number) => Promise<void>
  isOver?: () => boolean
}

/** For `forMs` at most, or until it is over. It looks once in any case. */
export async function lookUntil<T>(
  look: () => Promise<T | undefined>,
  { everyMs, forMs, pause = (ms) => delay(ms), isOver = () => false }: Looking,
): Promise<T | undefined> {
  const ends = performance.now() + forMs
  for (;;) {
    const found = await look()
    if (found !== undefined) return found
    const leftMs = ends - performance.now()
    if (leftMs <= 0 || isOver()) return undefined
    await pause(Math.min(everyMs, leftMs))
  }
}
