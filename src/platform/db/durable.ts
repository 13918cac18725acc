import type { Kysely } from 'kysely'
import { openGroupCommit } from './commits.ts'
import type { Db } from './db.ts'
import { relaxed } from './relaxed.ts'
import type { Tables } from './tables.ts'

/** Runs `work` and resolves when what it wrote is on the disk. */
export type Durable = <T>(work: (connection: Kysely<Tables>) => Promise<T>) => Promise<T>

/**
 * Writes that wait for the disk while other requests go on. On the embedded database, writes that end during
 * a wait share the next one; PostgreSQL does the same by itself.
 */
export function openDurable(db: Db): Durable {
  if (db.dialect === 'postgres') return (work) => work(db.kysely)
  const synced = openGroupCommit(async (writes: true[]) => {
    await db.syncLog()
    return writes
  })
  return async (work) => {
    const result = await relaxed(db, work)
    await synced.add(true)
    return result
  }
}
