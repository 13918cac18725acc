import { type Kysely, sql } from 'kysely'
import type { Tables } from '../tables.ts'

/** Where it is tried whether the disk takes a commit; always empty. */
export async function sonda(db: Kysely<Tables>): Promise<void> {
  await sql`create table sonda (id text primary key, enchimento text not null)`.execute(db)
}
