import { type Kysely, sql } from 'kysely'
import type { Dialect, Tables } from '../tables.ts'

/** What authorities answered, for as long as it is good; and, where nodes share a database, who is asking what now. */
export async function cache(db: Kysely<Tables>, dialect: Dialect): Promise<void> {
  // Lost with a crash of PostgreSQL, on purpose: it is asked again.
  const kind = dialect === 'postgres' ? sql`unlogged` : sql``
  await sql`create ${kind} table cache (chave text primary key, valor text not null, expira_em bigint not null)`.execute(
    db,
  )
  await sql`create index cache_expira_em on cache (expira_em)`.execute(db)
  await sql`create ${kind} table cargas (chave text primary key, dono text not null, ate bigint not null)`.execute(
    db,
  )
}
