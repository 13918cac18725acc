import { Kysely, PostgresDialect, type PostgresPoolClient } from 'kysely'
import { trusted } from '../../domain/trusted.ts'
import { readAddress } from './address.ts'
import { type Exclusive, OF_THE_LEDGER, prepareConnections, shareConnection } from './connection.ts'
import { withPatience } from './deadline.ts'
import { migrate } from './migrate.ts'
import type { Connections } from './postgres.ts'
import { lockServer, openLog, openSqlite } from './sqlite.ts'
import type { Tables } from './tables.ts'

/** The database. The queries are the same on SQLite and PostgreSQL. */
export type Db = {
  kysely: Kysely<Tables>
  /** The connection that the ledger keeps for itself. */
  exclusive: Exclusive
  /** Closes every connection. Nothing may use the database after it. */
  close: () => Promise<void>
} & ({ dialect: 'sqlite'; syncLog: () => Promise<void> } | { dialect: 'postgres'; ask: Connections['ask'] })

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
    await withPatience(() => migrate(db.kysely, db.dialect))
    return db
  } catch (error) {
    await db.close()
    throw error
  }
}

/** The ledger's own connection, and those of everything else. */
const CONNECTIONS = 10

async function openShared(databaseUrl: string): Promise<Db> {
  const { createPool, tryOnce } = await import('./postgres.ts')
  const address = readAddress(databaseUrl)
  const connections = createPool(address, { max: CONNECTIONS })
  const own = createPool(address, { max: 1, session: OF_THE_LEDGER, kept: true })
  const close = async (): Promise<void> => {
    await Promise.all([connections.close(), own.close()])
  }
  try {
    await tryOnce(connections, address)
  } catch (error) {
    await close()
    throw error
  }
  const kysely = new Kysely<Tables>({ dialect: dialectOf(connections) })
  return { dialect: 'postgres', kysely, exclusive: prepareConnections(own), ask: connections.ask, close }
}

/** Kysely over our connections. It asks of a pool no more than this. */
const dialectOf = (connections: Connections): PostgresDialect =>
  new PostgresDialect({
    pool: {
      options: {},
      end: connections.close,
      connect: async () => {
        const { query, release } = await connections.connect()
        // Without a cursor in its configuration, kysely asks by text alone.
        return trusted<PostgresPoolClient>({
          release,
          query: (text: string, values: readonly unknown[]) => query({ text, values }),
        })
      },
    },
  })

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
