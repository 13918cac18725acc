import { type Kysely, sql } from 'kysely'
import type { Db } from './db.ts'
import type { Tables } from './tables.ts'

/** Runs `work` on one connection without waiting for the disk. A crash may lose the last moment of it. */
export function relaxed<T>(
  { kysely, dialect }: Db,
  work: (connection: Kysely<Tables>) => Promise<T>,
): Promise<T> {
  return kysely.connection().execute(async (connection) => {
    if (dialect === 'sqlite') await sql`pragma synchronous = normal`.execute(connection)
    try {
      return await work(connection)
    } finally {
      if (dialect === 'sqlite') await sql`pragma synchronous = full`.execute(connection)
    }
  })
}
