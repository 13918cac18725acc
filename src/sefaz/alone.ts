import { type Kysely, sql } from 'kysely'
import type { Db } from '../platform/db/db.ts'
import { relaxed } from '../platform/db/queries.ts'
import type { Tables } from '../platform/db/tables.ts'
import type { Ambiente } from '../platform/wire/fonte.ts'

/** A database, and the kind of authority of which it is asked. */
export type DoAmbiente = { db: Db; ambiente: Ambiente }

/** The advisory lock under which nodes write what the monitor keeps: any number of our own. */
const LOCK = 5_461_011

/**
 * Runs a transaction that waits for no disk: a crash may lose the last round, never a part of one. One node
 * at a time runs one; the embedded database lets in only one by itself.
 */
export const alone = <T>(
  { db }: Pick<DoAmbiente, 'db'>,
  work: (trx: Kysely<Tables>) => Promise<T>,
): Promise<T> =>
  relaxed(db, (connection) =>
    connection.transaction().execute(async (trx) => {
      if (db.dialect === 'postgres') await sql`select pg_advisory_xact_lock(${LOCK})`.execute(trx)
      return work(trx)
    }),
  )
