import type { Db } from '../db/db.ts'
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
