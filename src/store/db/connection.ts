import { hash } from 'node:crypto'
import type { CompiledQuery, Kysely } from 'kysely'
import type pg from 'pg'
import { trusted } from '../../domain/trusted.ts'
import type { Tables } from './tables.ts'

/** Runs a compiled statement with `parameters` in the place of those it was compiled with. */
export type Query = <R>(statement: CompiledQuery<R>, parameters: readonly unknown[]) => Promise<R[]>

/** Lends a connection to one piece of work; nothing else runs on it meanwhile. */
export type Exclusive = <T>(work: (query: Query) => Promise<T>) => Promise<T>

/** The one connection to the embedded database, lent to one at a time: kysely keeps the queue, `query` skips its layers. */
export const shareConnection =
  (kysely: Kysely<Tables>, query: Query): Exclusive =>
  (work) =>
    kysely.connection().execute(() => work(query))

/**
 * Connections to PostgreSQL that prepare and plan each text once: planning the ledger's few statements again would cost
 * more than running them. Statements that are not waited for travel together. A connection on which anything failed is
 * dropped, and its transaction with it.
 */
export function prepareConnections(pool: pg.Pool): Exclusive {
  // Should it fail, so does the query behind it: the connection is gone.
  pool.on('connect', (client) => client.query(PLANNING).catch(() => {}))
  return async (work) => {
    const client = await pool.connect()
    let failed = true
    try {
      const result = await work(async <R>({ sql }: CompiledQuery<R>, parameters: readonly unknown[]) => {
        const { rows } = await client.query({ name: nameOf(sql), text: sql, values: [...parameters] })
        // Proven by the statement's own list of columns.
        return trusted<R[]>(rows)
      })
      failed = false
      return result
    } finally {
      client.release(failed)
    }
  }
}

/** A plan made while a table is small must do when it has grown, so only the one that is right at any size is left: a walk down the indexes. */
const PLANNING =
  'set plan_cache_mode = force_generic_plan; set enable_seqscan = off; set enable_hashjoin = off; set enable_mergejoin = off'

/** PostgreSQL keeps 63 characters of a name. */
const NAME_LENGTH = 40
const names = new Map<string, string>()

function nameOf(text: string): string {
  const name = names.get(text) ?? hash('sha256', text).slice(0, NAME_LENGTH)
  names.set(text, name)
  return name
}
