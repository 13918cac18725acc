import { setImmediate as nextTurn } from 'node:timers/promises'
import { type CompiledQuery, type Kysely, sql } from 'kysely'
import { openGroupCommit } from './commits.ts'
import type { Db } from './db.ts'
import { within } from './outage.ts'
import type { Tables } from './tables.ts'

export const ping = ({ kysely }: Db): Promise<boolean> =>
  within(sql`select 1`.execute(kysely).then(() => true))

/** Runs `work` on one connection without waiting for the disk. A crash may lose the last moment of it. */
export function relaxed<T>(
  { kysely, dialect }: Db,
  work: (connection: Kysely<Tables>) => Promise<T>,
): Promise<T> {
  return kysely.connection().execute(async (connection) => {
    if (dialect === 'sqlite') await sql`pragma synchronous = normal`.execute(connection)
    try {
      return await work(connection)
    } finally {
      if (dialect === 'sqlite') await sql`pragma synchronous = full`.execute(connection)
    }
  })
}

export const prepareFirst =
  <R>(kysely: Kysely<Tables>, statement: CompiledQuery<R>) =>
  async (...parameters: readonly unknown[]): Promise<R | undefined> => {
    const { rows } = await kysely.executeQuery<R>({ ...statement, parameters })
    return rows[0]
  }

const MOST_BATCHES = 500

/**
 * Deletes in batches until one is not full; returns how many rows. On the embedded database other requests
 * run between two batches; `remove` deletes at most `size` rows and says how many.
 */
export async function deleteInBatches(
  size: number,
  remove: (size: number) => Promise<number>,
): Promise<number> {
  let total = 0
  for (let batch = 0; batch < MOST_BATCHES; batch++) {
    const deleted = await remove(size)
    total += deleted
    if (deleted < size) break
    await nextTurn()
  }
  return total
}

/** Rows deleted at once of those that carry an answer: a certificate with its PDF has 300 KB. */
const ANSWERS = 100

export const deleteExpired = (
  connection: Kysely<Tables>,
  table: 'cache' | 'idempotencia' | 'certidoes',
  instant: number,
): Promise<number> =>
  deleteInBatches(ANSWERS, async (size) => {
    // The instant stands twice: a row may have been taken anew since the look.
    const { numAffectedRows = 0n } = await sql`
      delete from ${sql.table(table)} where expira_em <= ${instant} and chave in (
        select chave from ${sql.table(table)} where expira_em <= ${instant} limit ${size})`.execute(
      connection,
    )
    return Number(numAffectedRows)
  })

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
