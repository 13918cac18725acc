import { hash } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { dirname } from 'node:path'
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite'
import {
  type CompiledQuery,
  type Kysely,
  type SqliteDatabase,
  SqliteDialect,
  type SqliteStatement,
} from 'kysely'
import { messageOf } from '../errors.ts'
import { trusted } from '../trusted.ts'
import { DatabaseAway, StoreError, toFileOutage } from './outage.ts'
import type { Connections } from './postgres.ts'
import type { Tables } from './tables.ts'

export type Query = <R>(statement: CompiledQuery<R>, parameters: readonly unknown[]) => Promise<R[]>

/** Prepares a statement of the one connection. It must run inside `Exclusive`. */
export type PrepareStatement = SqliteDatabase['prepare']

/** Lends a connection to one piece of work. Nothing else runs on it meanwhile. */
export type Exclusive = <T>(work: (query: Query) => Promise<T>) => Promise<T>

export const shareConnection =
  (kysely: Kysely<Tables>, query: Query): Exclusive =>
  (work) =>
    kysely.connection().execute(() => work(query))

/** Prepares and plans each text once: planning costs more than running. A failed connection is dropped. */
export const prepareConnections =
  (connections: Connections): Exclusive =>
  async (work) => {
    const connection = await connections.connect()
    let failed = true
    try {
      const result = await work(async <R>({ sql }: CompiledQuery<R>, parameters: readonly unknown[]) => {
        const { rows } = await connection.query({ name: nameOf(sql), text: sql, values: parameters })
        // Proven by the statement's own list of columns.
        return trusted<R[]>(rows)
      })
      failed = false
      return result
    } finally {
      connection.release(failed)
    }
  }

/**
 * The settings of such a connection. A plan must stay right while its table grows, so only index scans are
 * allowed; and a process that is frozen inside a transaction loses it, with its locks, after five seconds.
 */
export const OF_THE_LEDGER =
  'set plan_cache_mode = force_generic_plan; set enable_seqscan = off; set enable_hashjoin = off; set enable_mergejoin = off; set idle_in_transaction_session_timeout = 5000'

/** The settings of all others: no charge waits for their locks. */
export const OF_ALL = 'set idle_in_transaction_session_timeout = 60000'

const NAME_LENGTH = 40
const names = new Map<string, string>()

function nameOf(text: string): string {
  const name = names.get(text) ?? hash('sha256', text).slice(0, NAME_LENGTH)
  names.set(text, name)
  return name
}

const BUSY_MS = 5_000
const CACHED_STATEMENTS = 256

/** Makes the folder too. A commit is on the disk when it returns; the ledger's are not, see `openLog`. */
export function openSqlite(arquivo: string): {
  dialect: SqliteDialect
  query: Query
  prepare: PrepareStatement
} {
  mkdirSync(dirname(arquivo), { recursive: true })
  const database = new DatabaseSync(arquivo, { timeout: BUSY_MS })
  try {
    database.exec(
      'pragma journal_mode = wal; pragma synchronous = full; pragma wal_autocheckpoint = 4000; pragma foreign_keys = on; pragma temp_store = memory',
    )
  } catch (error) {
    database.close()
    throw new StoreError(`${arquivo} não é um banco de dados que se possa abrir: ${messageOf(error)}`)
  }
  const cached = withCachedStatements(database)
  const query = async <R>({ sql }: CompiledQuery<R>, parameters: readonly unknown[]): Promise<R[]> => {
    const statement = cached.prepare(sql)
    // Proven by the statement's own list of columns.
    if (statement.reader) return trusted<R[]>(statement.all(parameters))
    statement.run(parameters)
    return []
  }
  return { dialect: new SqliteDialect({ database: cached }), query, prepare: cached.prepare }
}

/** The ledger commits without waiting and then calls `sync`, while other requests go on. */
export function openLog(arquivo: string): { sync: () => Promise<void>; close: () => Promise<void> } {
  let handle: Promise<FileHandle> | undefined
  return {
    sync: async () => {
      try {
        handle ??= open(`${arquivo}-wal`, 'r')
        await (await handle).datasync()
      } catch (error) {
        throw new DatabaseAway(error, { lost: false })
      }
    },
    close: async () => (await handle)?.close(),
  }
}

function withCachedStatements(database: DatabaseSync): SqliteDatabase {
  const cache = new Map<string, SqliteStatement>()
  return {
    close: () => database.close(),
    prepare: (text) => {
      const known = cache.get(text)
      if (known) return known
      if (cache.size >= CACHED_STATEMENTS) cache.clear()
      // A transaction that read first could not wait for the write lock later.
      const statement = adapt(database.prepare(text === 'begin' ? 'begin immediate' : text))
      cache.set(text, statement)
      return statement
    },
  }
}

function adapt(statement: StatementSync): SqliteStatement {
  // Proven by kysely's compiler: our queries hold only text, numbers and null.
  const bound = (parameters: readonly unknown[]) => trusted<SQLInputValue[]>(parameters)
  return {
    reader: statement.columns().length > 0,
    all: (parameters) => telling(() => statement.all(...bound(parameters))),
    run: (parameters) => telling(() => statement.run(...bound(parameters))),
    iterate: (parameters) => statement.iterate(...bound(parameters)),
  }
}

function telling<T>(run: () => T): T {
  try {
    return run()
  } catch (error) {
    throw toFileOutage(error)
  }
}

/**
 * Keeps a second server process off the same data and returns the release; throws StoreError where it cannot.
 * A lock of the operating system ends with its process, and a lease would need the database open.
 */
export function lockServer(arquivo: string): () => void {
  mkdirSync(dirname(arquivo), { recursive: true })
  let lock: DatabaseSync | undefined
  try {
    lock = new DatabaseSync(arquivo, { timeout: 0 })
    lock.exec('begin exclusive')
  } catch (error) {
    lock?.close()
    const why = messageOf(error)
    throw new StoreError(
      why.includes('locked')
        ? `Outro Consulta Fiscal já está servindo a pasta ${dirname(arquivo)}. Pare-o, ou escolha outra pasta em DATA_DIR. ` +
            'Para vários processos sobre os mesmos dados, use o PostgreSQL (DATABASE_URL).'
        : `Não é possível gravar em ${dirname(arquivo)}: ${why}. Verifique o espaço em disco e as permissões, ou escolha outra pasta em DATA_DIR.`,
    )
  }
  const held = lock
  return () => held.close()
}
