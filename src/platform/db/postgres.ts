import pg from 'pg'
import { codeOf } from '../wire/error-code.ts'
import type { Address } from './address.ts'
import { deadlineMs } from './deadline.ts'
import { DatabaseAway, isConnectionLost, toOutage } from './outage.ts'
import { StoreError } from './store-error.ts'

const CONNECT_MS = 5_000
/** The system asks after a silent connection by then, and takes it for dead ten seconds later. */
const KEEPALIVE_MS = 10_000
const INT8 = 20

/** A statement with its parameters; with a name it is prepared once a connection. */
type Statement = { text: string; values?: readonly unknown[]; name?: string }

/** A connection that is lent. Each query has a deadline (see `withPatience`), after which it is dropped. */
export type Connection = {
  /** Rejects with DatabaseAway where the database is what failed. */
  query: (statement: Statement) => Promise<pg.QueryResult>
  /** Gives it back. One that broke, or that the caller drops, is closed. */
  release: (drop?: boolean) => void
}

/** Connections to the PostgreSQL of DATABASE_URL. */
export type Connections = {
  /** Rejects with DatabaseAway where no host lets us in. */
  connect: () => Promise<Connection>
  /** Runs one statement on any of them. */
  ask: (statement: Statement) => Promise<pg.QueryResult>
  close: () => Promise<void>
}

type PoolOptions = {
  /** How many connections may be open at once. */
  max: number
  /** The settings of each connection, as statements. */
  session?: string
  /** True for connections that stay open while nobody uses them. */
  kept?: boolean
}

/**
 * A pool of at most `max` connections, none of them open yet. Of several hosts a new connection takes the
 * first that lets it in, beginning with the one that did last; each is tried once.
 */
export function createPool(
  { urls, primary }: Address,
  { max, session = '', kept = false }: PoolOptions,
): Connections {
  const pool = new pg.Pool({
    connectionString: urls[0],
    max,
    connectionTimeoutMillis: CONNECT_MS,
    // Also for what is not asked through `lend`, below.
    query_timeout: CONNECT_MS,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEPALIVE_MS,
    ...(kept && { idleTimeoutMillis: 0 }),
    application_name: 'consulta-fiscal',
    // Several statements of one transaction travel together.
    pipeline: true,
    types: { getTypeParser },
    onConnect: async (client) => {
      if (session) await client.query(session)
      if (primary) await refuseStandby(client)
    },
  })
  // The pool replaces a broken connection, and its queries fail. Without listeners the process would end.
  pool.on('error', () => {})
  pool.on('connect', (client) => client.on('error', () => {}))

  const limits = new WeakMap<pg.PoolClient, number>()
  let host = 0
  /** The next connection tries the host after `failed`, unless another caller has turned from it already. */
  const turnFrom = (failed: number): void => {
    if (host !== failed) return
    host = (host + 1) % urls.length
    pool.options.connectionString = urls[host]
  }

  const connect = async (tries = urls.length): Promise<Connection> => {
    const tried = host
    try {
      return lend(await pool.connect(), limits)
    } catch (error) {
      turnFrom(tried)
      if (tries > 1 && !isFull(error)) return connect(tries - 1)
      throw new DatabaseAway(error, { lost: true })
    }
  }
  return {
    connect: () => connect(),
    ask: async (statement) => {
      const connection = await connect()
      try {
        return await connection.query(statement)
      } finally {
        connection.release()
      }
    },
    close: () => pool.end(),
  }
}

/** Whether all connections of the pool were lent for too long. No other host would help. */
const isFull = (error: unknown): boolean => error instanceof Error && /timeout exceeded/.test(error.message)

async function refuseStandby(client: pg.ClientBase): Promise<void> {
  const { rows } = await client.query('select pg_is_in_recovery() as espera')
  if (rows[0]?.espera !== false) throw new Error('the server is in recovery: it takes no write')
}

/** The server gives a statement up some time after us, so that nobody's wait holds locks or connections. */
const SERVER_FACTOR = 2

/** Lends a connection of a pool. `limits` keeps what the server was told of each. */
function lend(client: pg.PoolClient, limits: WeakMap<pg.PoolClient, number>): Connection {
  let lost = false
  const limit = deadlineMs()
  if (limits.get(client) !== limit) {
    limits.set(client, limit)
    // It travels with the first query. If it fails, so does that one, because the connection is gone.
    client.query(`set statement_timeout = ${SERVER_FACTOR * limit}`).catch(() => {})
  }
  return {
    query: async ({ values = [], ...statement }) => {
      try {
        return await client.query({ ...statement, values: [...values], ...until(limit) })
      } catch (error) {
        const outage = toOutage(error)
        lost ||= isConnectionLost(outage)
        throw outage
      }
    },
    release: (drop = false) => client.release(drop || lost),
  }
}

/** What the driver reads of a query, and its types do not know. */
const until = (limit: number): object => ({ query_timeout: limit })

/** `reserved_connections` is there since PostgreSQL 16. */
const PLACES = `
  select current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int
    - coalesce(current_setting('reserved_connections', true)::int, 0) as lugares`

/** Gives the connections that the server has for users. Rejects with DatabaseAway if it does not answer. */
export async function countPlaces({ ask }: Connections): Promise<number> {
  const { rows } = await ask({ text: PLACES })
  return Number(rows[0]?.lugares)
}

/** What keeps a start from using the database: where it is away, a sentence without the password. */
export const explainAway = (error: unknown, { shown }: Address): unknown =>
  error instanceof DatabaseAway
    ? new StoreError(`Não foi possível usar o PostgreSQL em ${shown} (DATABASE_URL): ${explain(error)}`, {
        cause: error,
      })
    : error

/** Counts and instants fit a number. By itself, `pg` gives them as text. */
const getTypeParser: typeof pg.types.getTypeParser = (oid: number, format?: 'text' | 'binary') =>
  oid === INT8 ? Number : pg.types.getTypeParser(oid, format)

const reasons: Record<string, string> = {
  ECONNREFUSED: 'nada responde nesse endereço e porta. O PostgreSQL está no ar?',
  ENOTFOUND: 'o nome do servidor não foi encontrado.',
  EAI_AGAIN: 'o nome do servidor não foi encontrado.',
  ETIMEDOUT: 'o servidor não respondeu a tempo. Há um firewall no caminho?',
  ECONNRESET: 'o servidor encerrou a conexão. Ele exige TLS (sslmode=require)?',
  '28P01': 'usuário ou senha não conferem.',
  '28000': 'o servidor não aceita este usuário vindo desta máquina (pg_hba.conf).',
  InitializeSessionUserId: 'esse usuário não existe ou não pode conectar. Crie-o com createuser.',
  '3D000': 'esse banco de dados não existe. Crie-o com createdb.',
  '42501': 'o usuário não tem permissão nesse banco de dados.',
  '25006': 'o servidor não aceita gravações: é uma réplica, ou está em modo somente leitura.',
  '53100': 'o disco do servidor está cheio.',
  '53300': 'o servidor está com todas as conexões ocupadas (max_connections).',
}

const silences: readonly [RegExp, string][] = [
  [/in recovery/, 'nenhum dos servidores aceita gravações: todos estão em recuperação (réplicas).'],
  [/timeout/, 'o servidor não respondeu a tempo. Há um firewall no caminho?'],
]

function explain({ cause }: DatabaseAway): string {
  // The same code means "no access from here" and "no such user". The server's routine tells which.
  const { routine = '' } = { ...Object(cause) }
  const known = reasons[String(routine)] ?? reasons[codeOf(cause)]
  const message = cause instanceof Error ? cause.message : String(cause)
  return known ?? silences.find(([pattern]) => pattern.test(message))?.[1] ?? message
}
