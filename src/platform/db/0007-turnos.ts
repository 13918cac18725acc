import { type Kysely, sql } from 'kysely'
import type { Dialect, Tables } from './tables.ts'

/**
 * The turns of sources that all nodes together ask one question at a time. Each row says when the next turn
 * may begin.
 */
export async function turnos(db: Kysely<Tables>, dialect: Dialect): Promise<void> {
  // A crash of PostgreSQL loses this table, on purpose: it holds only the last minutes.
  const kind = dialect === 'postgres' ? sql`unlogged` : sql``
  await sql`create ${kind} table turnos (
    fonte text primary key,
    dono text not null,
    ate bigint not null,
    livre_em bigint not null
  )`.execute(db)
}
