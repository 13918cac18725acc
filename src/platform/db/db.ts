import { Kysely, PostgresDialect, type PostgresPoolClient } from 'kysely'
import { trusted } from '../trusted.ts'
import { openCheckpoints } from './checkpoints.ts'
import { migrate } from './migrate.ts'
import { withoutPatience, withPatience } from './outage.ts'
import type { Connections } from './postgres.ts'
import {
  type Exclusive,
  lockServer,
  OF_ALL,
  OF_THE_LEDGER,
  openLog,
  openSqlite,
  type PrepareStatement,
  prepareConnections,
  shareConnection,
} from './sqlite.ts'
import type { Tables } from './tables.ts'

export type Db = {
  kysely: Kysely<Tables>
  exclusive: Exclusive
  /** A connection that no charge waits for, where there is more than one. */
  borrow: Exclusive
  close: () => Promise<void>
} & (
  | { dialect: 'sqlite'; syncLog: () => Promise<void>; prepare: PrepareStatement; noteWrite: NoteWrite }
  | { dialect: 'postgres'; ask: Connections['ask']; lugares: Lugares }
)

/** Tells of transactions beside `exclusive`: as many as its own would be for so many pages. */
type NoteWrite = (transactions: number) => void

type Lugares = { nossos: number; limite: number; onde: string }

export type DbOptions = {
  databaseUrl?: string | undefined
  arquivo: string
  /**
   * True in the server: the embedded database then refuses a second server, and PostgreSQL is tried for a
   * pooler that swaps sessions. Commands may run beside it.
   */
  servidor?: boolean
  conexoes?: number
}

/** Opens the database and brings its schema up to date. Throws StoreError for what the operator can mend. */
export const openDb = (options: DbOptions): Promise<Db> =>
  withPatience(() => (options.databaseUrl ? openShared(options.databaseUrl, options) : openMigrated(options)))

async function openMigrated(options: DbOptions): Promise<Db> {
  const db = openEmbedded(options)
  try {
    await migrate(db.kysely, db.dialect)
    return db
  } catch (error) {
    await db.close()
    throw error
  }
}

const CONNECTIONS = 11

async function openShared(
  databaseUrl: string,
  { servidor = false, conexoes = CONNECTIONS }: DbOptions,
): Promise<Db> {
  const { asOwner, countPlaces, createPool, explainAway, readAddress, refuseSharedSessions } = await import(
    './postgres.ts'
  )
  const address = readAddress(databaseUrl)
  const { shown } = address
  const connections = createPool(address, { max: conexoes - 1, session: OF_ALL })
  const own = createPool(address, { max: 1, session: OF_THE_LEDGER, alone: true })
  const close = async (): Promise<void> => {
    await Promise.all([connections.close(), own.close()])
  }
  try {
    const limite = await countPlaces(connections)
    if (servidor) await withoutPatience(() => refuseSharedSessions(connections, shown))
    const kysely = new Kysely<Tables>({ dialect: dialectOf(connections) })
    await asOwner(connections, shown, () => migrate(kysely, 'postgres'))
    const { ask } = connections
    const lugares = { nossos: conexoes, limite, onde: shown }
    const [exclusive, borrow] = [prepareConnections(own), prepareConnections(connections)]
    return { dialect: 'postgres', kysely, exclusive, borrow, ask, lugares, close }
  } catch (error) {
    await close()
    throw explainAway(error, address)
  }
}

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
  const { dialect, query, prepare } = openSqlite(arquivo)
  const kysely = new Kysely<Tables>({ dialect })
  const log = openLog(arquivo)
  const checkpoints = servidor
    ? openCheckpoints(arquivo, (work) => kysely.connection().execute(work))
    : undefined
  const lend = shareConnection(kysely, query)
  const noteWrite: NoteWrite = (transactions) => checkpoints?.note(transactions)
  const exclusive: Exclusive = async (work) => {
    const result = await lend(work)
    noteWrite(1)
    return result
  }
  const close = async (): Promise<void> => {
    // The last connection to close takes the rest of the log into the database: ours.
    await checkpoints?.close()
    await log.close()
    await kysely.destroy()
    unlock()
  }
  const on = { kysely, exclusive, borrow: exclusive, prepare }
  return { dialect: 'sqlite', ...on, syncLog: log.sync, noteWrite, close }
}
