import { Kysely, PostgresDialect } from 'kysely'
import type pg from 'pg'
import { migrate } from './migrate.ts'
import { openPostgres } from './postgres.ts'
import { lockServer, openSqlite } from './sqlite.ts'
import type { Tables } from './tables.ts'

export type Dialect = 'sqlite' | 'postgres'

/** The database of accounts and credits; the queries are the same on both. */
export type Db = {
  kysely: Kysely<Tables>
  /** Closes every connection; nothing may use the database after it. */
  close: () => Promise<void>
} & ({ dialect: 'sqlite' } | { dialect: 'postgres'; pool: pg.Pool })

export type DbOptions = {
  /** PostgreSQL to use; without it, the embedded database. */
  databaseUrl?: string | undefined
  /** The embedded database's file; its folder is made. */
  arquivo: string
  /** True in the server: on the embedded database a second server is refused. Commands may run beside it. */
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
  const pool = await openPostgres(databaseUrl)
  const kysely = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) })
  return { dialect: 'postgres', kysely, pool, close: () => kysely.destroy() }
}

function openEmbedded({ arquivo, servidor }: DbOptions): Db {
  const unlock = servidor ? lockServer(`${arquivo}.servidor`) : () => {}
  const kysely = new Kysely<Tables>({ dialect: openSqlite(arquivo) })
  const close = async (): Promise<void> => {
    await kysely.destroy()
    unlock()
  }
  return { dialect: 'sqlite', kysely, close }
}
