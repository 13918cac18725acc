import { setImmediate as nextTurn } from 'node:timers/promises'
import { type Kysely, sql } from 'kysely'
import type { Tables } from './tables.ts'

/** Batches of one sweep. What is left is for the next one. */
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

/** Deletes the kept answers that ended by `instant`. Returns how many. */
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
