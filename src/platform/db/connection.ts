import { hash } from 'node:crypto'
import type { CompiledQuery, Kysely } from 'kysely'
import { trusted } from '../trusted.ts'
import type { Connections } from './postgres.ts'
import type { Tables } from './tables.ts'

/** Runs a compiled statement with `parameters` in the place of those that it was compiled with. */
export type Query = <R>(statement: CompiledQuery<R>, parameters: readonly unknown[]) => Promise<R[]>

/** Lends a connection to one piece of work. Nothing else runs on it meanwhile. */
export type Exclusive = <T>(work: (query: Query) => Promise<T>) => Promise<T>

/** The one connection to the embedded database. Kysely keeps the queue; `query` skips its layers. */
export const shareConnection =
  (kysely: Kysely<Tables>, query: Query): Exclusive =>
  (work) =>
    kysely.connection().execute(() => work(query))

/**
 * A connection to PostgreSQL that prepares and plans each text once: planning costs more than running.
 * Statements that nobody waits for travel together; a connection that failed is dropped with its work.
 */
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

/** PostgreSQL keeps 63 characters of a name. */
const NAME_LENGTH = 40
const names = new Map<string, string>()

function nameOf(text: string): string {
  const name = names.get(text) ?? hash('sha256', text).slice(0, NAME_LENGTH)
  names.set(text, name)
  return name
}
