import type { Db } from '../db/db.ts'
import { deleteInBatches } from '../db/in-batches.ts'
import { relaxed } from '../db/relaxed.ts'

/** A value to store under the hash of its key. */
export type CacheRow = { chave: string; valor: string; expira_em: number }

/** The row of a key that is still good at `instant`. */
export const selectValue = (
  { kysely }: Db,
  chave: string,
  instant: number,
): Promise<{ valor: string; expira_em: number } | undefined> =>
  kysely
    .selectFrom('cache')
    .select(['valor', 'expira_em'])
    .where('chave', '=', chave)
    .where('expira_em', '>', instant)
    .executeTakeFirst()

/**
 * Stores rows in one transaction; the last row of a key wins. Nobody waits for the disk, because a cache may
 * lose its last moment.
 */
export async function upsertValues(db: Db, rows: readonly CacheRow[]): Promise<true[]> {
  const latest = [...new Map(rows.map((row) => [row.chave, row])).values()]
  await relaxed(db, (connection) =>
    connection
      .insertInto('cache')
      .values(latest)
      .onConflict((on) =>
        on.column('chave').doUpdateSet(({ ref }) => ({
          valor: ref('excluded.valor'),
          expira_em: ref('excluded.expira_em'),
        })),
      )
      .execute(),
  )
  return rows.map(() => true)
}

/** Rows deleted at once: a certificate with its PDF has 300 KB. */
const DELETED = 100

/** Deletes values that ended by `instant`. Returns how many. */
export const deleteExpired = ({ kysely }: Db, instant: number): Promise<number> =>
  deleteInBatches(DELETED, async (size) => {
    const { numDeletedRows } = await kysely
      .deleteFrom('cache')
      // Again: it may have been taken anew since the look.
      .where('expira_em', '<=', instant)
      .where('chave', 'in', (cache) =>
        cache.selectFrom('cache').select('chave').where('expira_em', '<=', instant).limit(size),
      )
      .executeTakeFirst()
    return Number(numDeletedRows)
  })
