import { hash } from 'node:crypto'
import { PostgresDialect, type PostgresPoolClient } from 'kysely'
import type pg from 'pg'
import { trusted } from '../domain/trusted.ts'

/**
 * Each text is planned once for a connection: planning costs more than running it. A plan made while a table is small
 * must still do when it has grown, so only the one that is right at any size is left: a walk down the indexes.
 */
const PLANNING =
  'set plan_cache_mode = force_generic_plan; set enable_seqscan = off; set enable_hashjoin = off; set enable_mergejoin = off'

/** kysely over connections that prepare and plan each text once: for the ledger's few hot statements. */
export function preparedDialect(pool: pg.Pool): PostgresDialect {
  pool.on('connect', (client) => {
    // Should it fail, so does the query behind it: the connection is gone.
    client.query(PLANNING).catch(() => {})
  })
  const connect = async (): Promise<PostgresPoolClient> => prepare(await pool.connect())
  return new PostgresDialect({ pool: { options: pool.options, connect, end: () => pool.end() } })
}

/** PostgreSQL keeps 63 characters of a name. */
const NAME_LENGTH = 40
const names = new Map<string, string>()

function nameOf(text: string): string {
  const name = names.get(text) ?? hash('sha256', text).slice(0, NAME_LENGTH)
  names.set(text, name)
  return name
}

function prepare(client: pg.PoolClient): PostgresPoolClient {
  const query = (text: string, values: unknown[]) => client.query({ name: nameOf(text), text, values })
  // Proven by use: of kysely's two ways to query, we have no cursors.
  return trusted<PostgresPoolClient>({ query, release: (destroy?: boolean) => client.release(destroy) })
}
