import { randomUUID } from 'node:crypto'
import type { Connection, Connections } from './postgres.ts'
import { StoreError } from './store-error.ts'

const SET = "select set_config('consulta_fiscal.prova', $1, false)"
const SHOW = "select current_setting('consulta_fiscal.prova', true) as prova"

/**
 * Tries whether a connection keeps its session while another is in a transaction, as PgBouncer's transaction
 * mode does not: plans, settings and time limits of ours would end up on anybody's connection. Throws StoreError.
 */
export async function refuseSharedSessions(connections: Connections, shown: string): Promise<void> {
  const [one, other] = await Promise.all([connections.connect(), connections.connect()])
  const isKept = await keepsSession(one, other).catch(() => false)
  // Whatever the trial left behind goes with them.
  one.release(true)
  other.release(true)
  if (!isKept)
    throw new StoreError(
      `Entre o serviço e o PostgreSQL em ${shown} (DATABASE_URL) há um distribuidor de conexões que as troca a cada transação, como o PgBouncer com pool_mode = transaction: o serviço perderia os ajustes e os comandos preparados de cada conexão. Use pool_mode = session, ou conecte direto ao PostgreSQL.`,
    )
}

async function keepsSession(one: Connection, other: Connection): Promise<boolean> {
  const prova = randomUUID()
  await one.query({ text: SET, values: [prova] })
  // It takes the session that `one` has just given back, if it gave any.
  await other.query({ text: 'begin' })
  const { rows } = await one.query({ text: SHOW })
  await other.query({ text: 'rollback' })
  return rows[0]?.prova === prova
}
