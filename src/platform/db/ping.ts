import { sql } from 'kysely'
import type { Db } from './db.ts'
import { within } from './within.ts'

/** Whether the database answers within two seconds. */
export const ping = ({ kysely }: Db): Promise<boolean> =>
  within(sql`select 1`.execute(kysely).then(() => true))
