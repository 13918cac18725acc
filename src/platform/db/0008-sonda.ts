import { type Kysely, sql } from 'kysely'
import type { Tables } from './tables.ts'

/** A table for trial commits, which show whether the disk takes any. It is always empty. */
export async function sonda(db: Kysely<Tables>): Promise<void> {
  await sql`create table sonda (id text primary key, enchimento text not null)`.execute(db)
}
