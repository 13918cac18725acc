import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { messageOf } from '../errors.ts'
import { codeOf } from '../wire/fonte.ts'
import { DatabaseAway, deadlineMs, isConnectionLost, StoreError, toOutage } from './outage.ts'

export type Address = {
  urls: readonly [string, ...string[]]
  /** True where a host that is in recovery, which takes no write, must be passed over. */
  primary: boolean
  shown: string
}

const PARTS = /^(postgres(?:ql)?:\/\/(?:[^/?#]*@)?)([^/?#@]*)([^?#]*)(.*)$/i
const ATTRIBUTE = 'target_session_attrs'

/**
 * Reads DATABASE_URL as libpq does, with several hosts (`a:5432,b:5432`), which the driver cannot; of those
 * the service always wants the one that takes writes. Throws StoreError for a wish that it cannot have.
 */
export function readAddress(url: string): Address {
  const [, start = '', hosts = '', path = '', rest = ''] = PARTS.exec(url) ?? []
  const [first, ...others] = hosts.split(',').map((host) => `${start}${host}${path}${rest}`)
  const shown = `${hosts}${path}` || 'um endereço que não se entende'
  const wanted = new URLSearchParams(rest.split('#')[0]).get(ATTRIBUTE) ?? ''
  if (!['', 'any', 'read-write', 'primary'].includes(wanted))
    throw new StoreError(
      `DATABASE_URL pede ${ATTRIBUTE}=${wanted}, e o serviço precisa gravar: use ${ATTRIBUTE}=read-write.`,
    )
  return {
    urls: [first ?? url, ...others],
    primary: others.length > 0 || wanted === 'read-write' || wanted === 'primary',
    shown,
  }
}

const CONNECT_MS = 5_000
/** The system asks after a silent connection by then, and takes it for dead ten seconds later. */
const KEEPALIVE_MS = 10_000
const INT8 = 20

type Statement = { text: string; values?: readonly unknown[]; name?: string }

type Connection = {
  query: (statement: Statement) => Promise<pg.QueryResult>
  release: (drop?: boolean) => void
}

export type Connections = {
  connect: () => Promise<Connection>
  ask: (statement: Statement) => Promise<pg.QueryResult>
  close: () => Promise<void>
}

/**
 * `alone`: a pool of one connection, which is kept. A new one ends the session of the one before: what that
 * was told to write is then written, or never will be.
 */
type PoolOptions = { max: number; session?: string; alone?: boolean }

/** Of several hosts a connection takes the first that lets it in, from the one that did last; each once. */
export function createPool(
  { urls, primary }: Address,
  { max, session = '', alone = false }: PoolOptions,
): Connections {
  const succeed = openSuccession()
  const pool = new pg.Pool({
    connectionString: urls[0],
    max,
    connectionTimeoutMillis: CONNECT_MS,
    query_timeout: CONNECT_MS,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEPALIVE_MS,
    ...(alone && { idleTimeoutMillis: 0 }),
    application_name: 'consulta-fiscal',
    // Several statements of one transaction travel together.
    pipeline: true,
    types: { getTypeParser },
    onConnect: async (client) => {
      if (session) await client.query(session)
      if (primary) await refuseStandby(client)
      if (alone) await succeed(client)
    },
  })
  // The pool replaces a broken connection, and its queries fail. Without listeners the process would end.
  pool.on('error', () => {})
  pool.on('connect', (client) => client.on('error', () => {}))

  const limits = new WeakMap<pg.PoolClient, number>()
  let host = 0
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

const isFull = (error: unknown): boolean => error instanceof Error && /timeout exceeded/.test(error.message)

async function refuseStandby(client: pg.ClientBase): Promise<void> {
  const { rows } = await client.query('select pg_is_in_recovery() as espera')
  if (rows[0]?.espera !== false) throw new Error('the server is in recovery: it takes no write')
}

const OWN = `select pid, extract(epoch from backend_start)::text as desde from pg_stat_activity
  where pid = pg_backend_pid()`
const BEFORE = `from pg_stat_activity where pid = $1 and extract(epoch from backend_start)::text = $2
  and pid <> pg_backend_pid()`

/** Ends the session of the connection before, which may live on when its connection was lost. */
function openSuccession(): (client: pg.ClientBase) => Promise<void> {
  let before: unknown[] | undefined
  return async (client) => {
    // A role that takes another's place may neither see nor end its own sessions.
    await client.query('set role none')
    if (before) {
      await client.query(`select pg_terminate_backend(pid, 2000) ${BEFORE}`, before)
      const { rows } = await client.query(`select 1 ${BEFORE}`, before)
      if (rows.length > 0) throw new Error('the session before has not ended')
    }
    const { rows } = await client.query(OWN)
    before = [rows[0]?.pid, rows[0]?.desde]
    await client.query('reset role')
  }
}

/** The server gives a statement up some time after us, so that nobody's wait holds locks or connections. */
const SERVER_FACTOR = 2

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

const until = (limit: number): object => ({ query_timeout: limit })

/** `reserved_connections` is there since PostgreSQL 16. */
const PLACES = `
  select current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int
    - coalesce(current_setting('reserved_connections', true)::int, 0) as lugares`

export async function countPlaces({ ask }: Connections): Promise<number> {
  const { rows } = await ask({ text: PLACES })
  return Number(rows[0]?.lugares)
}

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
  const message = messageOf(cause)
  return known ?? silences.find(([pattern]) => pattern.test(message))?.[1] ?? message
}

const SET = "select set_config('consulta_fiscal.prova', $1, false)"
const SHOW = "select current_setting('consulta_fiscal.prova', true) as prova"

/**
 * Tries whether a connection keeps its session while another is in a transaction: in PgBouncer's transaction
 * mode our plans, settings and time limits would be on anybody's connection. Throws StoreError.
 */
export async function refuseSharedSessions(connections: Connections, shown: string): Promise<void> {
  const [one, other] = await Promise.all([connections.connect(), connections.connect()])
  const isKept = await keepsSession(one, other).catch(() => false)
  one.release(true)
  other.release(true)
  if (!isKept)
    throw new StoreError(
      `Entre o serviço e o PostgreSQL em ${shown} (DATABASE_URL) há um distribuidor de conexões que as troca a cada transação, como o PgBouncer com pool_mode = transaction: o serviço perderia os ajustes e os comandos preparados de cada conexão. Use pool_mode = session, ou conecte direto ao PostgreSQL.`,
    )
}

const TRIALS = 3

async function keepsSession(one: Connection, other: Connection): Promise<boolean> {
  // What was sent to each before is over, so that a pooler has its sessions back.
  await Promise.all([one, other].map((connection) => connection.query({ text: SHOW })))
  for (let trial = 0; trial < TRIALS; trial++) {
    const prova = randomUUID()
    await one.query({ text: SET, values: [prova] })
    // A pooler gives the session that it got last, or one after the other: then it is seen here, or below.
    const seen = await other.query({ text: SHOW })
    await other.query({ text: 'begin' })
    const kept = await one.query({ text: SHOW })
    await other.query({ text: 'rollback' })
    if (seen.rows[0]?.prova === prova || kept.rows[0]?.prova !== prova) return false
  }
  return true
}

type Direitos = { usuario: string; esquema: string; cria: boolean; dono: string | null }

const DIREITOS = `
  select quote_ident(current_user) as usuario, quote_ident(s.nspname) as esquema,
    has_schema_privilege(s.oid, 'USAGE') and has_schema_privilege(s.oid, 'CREATE') as cria,
    (select quote_ident(pg_get_userbyid(c.relowner)) from pg_class c
      where c.relnamespace = s.oid and c.relname in ('esquema', 'usos') and not pg_has_role(c.relowner, 'USAGE')
      limit 1) as dono
  from pg_namespace s where s.nspname = coalesce(current_schema(), 'public')`

const FORBIDDEN = '42501'

/**
 * Runs what makes and alters tables. Throws StoreError, with the statements that mend it, where the role of
 * DATABASE_URL may not: each version may alter a table, and each month begins a new one.
 */
export async function asOwner<T>({ ask }: Connections, shown: string, work: () => Promise<T>): Promise<T> {
  const { rows } = await ask({ text: DIREITOS })
  const direitos: Direitos = rows[0] ?? {
    usuario: 'current_user',
    esquema: 'public',
    cria: false,
    dono: null,
  }
  if (!direitos.cria || direitos.dono !== null) throw refusalOf(direitos, shown)
  try {
    return await work()
  } catch (error) {
    if (codeOf(error) !== FORBIDDEN || !(error instanceof Error)) throw error
    throw refusalOf({ ...direitos, dono: 'outro' }, shown, error)
  }
}

function refusalOf({ usuario, esquema, cria, dono }: Direitos, shown: string, cause?: Error): StoreError {
  const lacks = [
    ...(cria ? [] : [`não pode criar tabelas no esquema ${esquema}`]),
    ...(dono === null ? [] : [`não é o dono das tabelas do serviço${cause ? '' : ` (são de ${dono})`}`]),
  ]
  const statements = [
    ...(cria ? [] : [`GRANT USAGE, CREATE ON SCHEMA ${esquema} TO ${usuario};`]),
    ...(dono === null ? [] : [`ALTER TABLE tabela OWNER TO ${usuario};`]),
  ]
  return new StoreError(
    `O usuário ${usuario} do PostgreSQL em ${shown} (DATABASE_URL) ${lacks.join(' e ')}${cause ? `: ${cause.message}` : ''}. ` +
      `O serviço cria e altera as suas tabelas. Como administrador desse banco, execute ${statements.join(' e ')}` +
      `${dono === null ? '' : ' (uma vez para cada tabela do serviço)'} e inicie de novo.`,
    { cause },
  )
}
