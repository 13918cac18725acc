import { sql } from 'kysely'
import type { Db } from './db.ts'

/** Whether the database answers. */
export async function ping({ kysely }: Db): Promise<boolean> {
  try {
    await sql`select 1`.execute(kysely)
    return true
  } catch {
    return false
  }
}
