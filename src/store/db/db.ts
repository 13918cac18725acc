import { Kysely, PostgresDialect } from 'kysely'
import type pg from 'pg'
import { type Exclusive, prepareConnections, shareConnection } from './connection.ts'
import { migrate } from './migrate.ts'
import { lockServer, openLog, openSqlite } from './sqlite.ts'
import type { Tables } from './tables.ts'

/** The database. The queries are the same on SQLite and PostgreSQL. */
export type Db = {
  kysely: Kysely<Tables>
  /** The connection that the ledger keeps for itself. */
  exclusive: Exclusive
  /** Closes every connection. Nothing may use the database after it. */
  close: () => Promise<void>
} & ({ dialect: 'sqlite'; syncLog: () => Promise<void> } | { dialect: 'postgres'; pool: pg.Pool })

export type DbOptions = {
  /** The PostgreSQL to use. Without it, the embedded database is used. */
  databaseUrl?: string | undefined
  /** The file of the embedded database. Its folder is made. */
  arquivo: string
  /** True in the server: the embedded database then refuses a second server. Commands may run beside it. */
  servidor?: boolean
}

/** Opens the database and brings its schema up to date. Throws StoreError for what the operator can mend. */
export async function openDb(options: DbOptions): Promise<Db> {
  const db = options.databaseUrl ? await openShared(options.databaseUrl) : openEmbedded(options)
  try {
    await migrate(db.kysely, db.dialect)
    return db
  } catch (error) {
    await db.close()
    throw error
  }
}

async function openShared(databaseUrl: string): Promise<Db> {
  const { createPool, openPostgres } = await import('./postgres.ts')
  const pool = await openPostgres(databaseUrl)
  const kysely = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) })
  const ledgerPool = createPool(databaseUrl, 1)
  const close = async (): Promise<void> => {
    await Promise.all([kysely.destroy(), ledgerPool.end()])
  }
  return { dialect: 'postgres', kysely, exclusive: prepareConnections(ledgerPool), pool, close }
}

function openEmbedded({ arquivo, servidor }: DbOptions): Db {
  const unlock = servidor ? lockServer(`${arquivo}.servidor`) : () => {}
  const { dialect, query } = openSqlite(arquivo)
  const kysely = new Kysely<Tables>({ dialect })
  const log = openLog(arquivo)
  const close = async (): Promise<void> => {
    await log.close()
    await kysely.destroy()
    unlock()
  }
  return { dialect: 'sqlite', kysely, exclusive: shareConnection(kysely, query), syncLog: log.sync, close }
}
