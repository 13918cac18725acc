import { randomUUID } from 'node:crypto'
import type { Connection, Connections } from './postgres.ts'
import { StoreError } from './store-error.ts'

const SET = "select set_config('consulta_fiscal.prova', $1, false)"
const SHOW = "select current_setting('consulta_fiscal.prova', true) as prova"

/**
 * Tries whether a connection keeps its session while another is in a transaction: in PgBouncer's transaction
 * mode our plans, settings and time limits would be on anybody's connection. Throws StoreError.
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

/** Other clients of a pooler may come between: each trial is made so often. */
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
