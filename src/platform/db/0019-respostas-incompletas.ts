import { type Kysely, sql } from 'kysely'
import type { Dialect, Tables } from './tables.ts'

/** Counts the answers of each source that lacked what the source always shows. */
export async function respostasIncompletas(db: Kysely<Tables>, _dialect: Dialect): Promise<void> {
  await sql`alter table leituras add column incompletas integer not null default 0`.execute(db)
}
