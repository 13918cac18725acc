import { type Kysely, sql } from 'kysely'
import type { Tables } from './tables.ts'

/** The account that asked for a job, so that no account takes the places of all the others. */
export async function contaDoTrabalho(db: Kysely<Tables>): Promise<void> {
  // A node of the version before inserts without it.
  await sql`alter table trabalhos add column conta_id text not null default ''`.execute(db)
}
