import { sql } from 'kysely'
import type { Db } from '../../src/platform/db/db.ts'

/** Makes every node of a database one that was last heard of a minute ago. */
export async function silence({ kysely }: Db): Promise<void> {
  await sql`update nos set batimento = batimento - 60000`.execute(kysely)
}
