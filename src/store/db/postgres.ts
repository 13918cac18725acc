import pg from 'pg'
import { codeOf } from '../../domain/fonte/error-code.ts'
import { StoreError } from './store-error.ts'

const CONNECT_MS = 10_000
const MAX_CONNECTIONS = 10
const INT8 = 20

/** A pool of at most `max` connections to the PostgreSQL at `url`. None of them is open yet. */
export function createPool(url: string, max: number): pg.Pool {
  const pool = new pg.Pool({
    connectionString: url,
    max,
    connectionTimeoutMillis: CONNECT_MS,
    application_name: 'consulta-fiscal',
    // Several statements of one transaction travel together.
    pipeline: true,
    types: { getTypeParser },
  })
  // The pool replaces a broken connection, and its queries fail. Without listeners the process would end.
  pool.on('error', () => {})
  pool.on('connect', (client) => client.on('error', () => {}))
  return pool
}

/**
 * Opens a pool and tries it once. Throws StoreError, without the password, if the database does not answer.
 */
export async function openPostgres(url: string): Promise<pg.Pool> {
  const pool = createPool(url, MAX_CONNECTIONS)
  try {
    await pool.query('select 1')
    return pool
  } catch (error) {
    await pool.end()
    throw new StoreError(explain(error, url), { cause: error })
  }
}

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
  '53300': 'o servidor está com todas as conexões ocupadas (max_connections).',
}

function explain(error: unknown, url: string): string {
  // The same code means "no access from here" and "no such user". The server's routine tells which.
  const { routine = '' } = { ...Object(error) }
  const known = reasons[String(routine)] ?? reasons[codeOf(error)]
  const reason = known ?? (error instanceof Error ? error.message : String(error))
  return `Não foi possível usar o PostgreSQL em ${place(url)} (DATABASE_URL): ${reason}`
}

/** The address in `url`, without user and password. */
function place(url: string): string {
  const { host, pathname } = URL.parse(url) ?? { host: '', pathname: '' }
  return `${host}${pathname}` || 'um endereço que não se entende'
}
