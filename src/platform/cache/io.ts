import type { Db } from '../db/db.ts'
import { prepareFirst } from '../db/prepared.ts'
import { relaxed } from '../db/relaxed.ts'

/** A value to store under the hash of its key. */
export type CacheRow = { chave: string; valor: string; expira_em: number }

/** Finds the row of a key that is still good at `instant`. */
type SelectValue = (chave: string, instant: number) => Promise<Omit<CacheRow, 'chave'> | undefined>

/** Compiles the statement once: a question that is not in memory runs it twice. */
export const prepareSelectValue = ({ kysely }: Db): SelectValue =>
  prepareFirst(
    kysely,
    kysely
      .selectFrom('cache')
      .select(['valor', 'expira_em'])
      .where('chave', '=', '')
      .where('expira_em', '>', 0)
      .compile(),
  )

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
