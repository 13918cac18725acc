import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../db/db.ts'
import { relaxed } from '../db/relaxed.ts'
import { LEASE_MS } from '../jobs/lease.ts'

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

/** Stores rows in one transaction, the last of a key winning. Nobody waits for the disk: a cache may lose its last moment. */
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

/** Deletes values that ended before `instant` and turns that ended by `leases`; returns how many values. */
export async function deleteExpired(
  { kysely }: Db,
  instant: number,
  leases: RawBuilder<number>,
): Promise<number> {
  await kysely.deleteFrom('cargas').where('ate', '<', leases).execute()
  const { numDeletedRows } = await kysely
    .deleteFrom('cache')
    .where('expira_em', '<=', instant)
    .executeTakeFirst()
  return Number(numDeletedRows)
}

/** The load that has the turn for a key. */
type Turn = { chave: string; dono: string }

/**
 * Takes the turn to load a key, on PostgreSQL; undefined if a living load has it. `dead`: it was taken from a
 * load that no longer gave signs of life.
 */
export async function takeLoad(
  { kysely }: Db,
  { chave, dono }: Turn,
  instant: RawBuilder<number>,
): Promise<'free' | 'dead' | undefined> {
  const ate = sql<number>`${instant} + ${LEASE_MS}`
  // A row that was updated names the transaction that did so; one that was inserted names none.
  const { rows } = await sql<{ updated: boolean }>`
    insert into cargas as c (chave, dono, ate) values (${chave}, ${dono}, ${ate})
    on conflict (chave) do update set dono = excluded.dono, ate = excluded.ate where c.ate < ${instant}
    returning xmax <> 0 as updated`.execute(kysely)
  const [taken] = rows
  return taken && (taken.updated ? 'dead' : 'free')
}

/** Says that the load still lives. Changes nothing where another has taken over. */
export async function renewLoad(
  { kysely }: Db,
  { chave, dono }: Turn,
  instant: RawBuilder<number>,
): Promise<void> {
  const ate = sql<number>`${instant} + ${LEASE_MS}`
  await kysely
    .updateTable('cargas')
    .set({ ate })
    .where('chave', '=', chave)
    .where('dono', '=', dono)
    .execute()
}

/** Gives the turn back, unless another load has taken it meanwhile. */
export async function releaseLoad({ kysely }: Db, { chave, dono }: Turn): Promise<void> {
  await kysely.deleteFrom('cargas').where('chave', '=', chave).where('dono', '=', dono).execute()
}
