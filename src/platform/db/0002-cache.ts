import { type Kysely, sql } from 'kysely'
import type { Dialect, Tables } from './tables.ts'

/**
 * The answers of authorities while they are good. Where nodes share a database, also the node that asks now.
 */
export async function cache(db: Kysely<Tables>, dialect: Dialect): Promise<void> {
  // A crash of PostgreSQL loses this table, on purpose: the authorities are asked again.
  const kind = dialect === 'postgres' ? sql`unlogged` : sql``
  await sql`create ${kind} table cache (chave text primary key, valor text not null, expira_em bigint not null)`.execute(
    db,
  )
  await sql`create index cache_expira_em on cache (expira_em)`.execute(db)
  await sql`create ${kind} table cargas (chave text primary key, dono text not null, ate bigint not null)`.execute(
    db,
  )
}
