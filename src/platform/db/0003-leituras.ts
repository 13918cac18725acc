import { type Kysely, sql } from 'kysely'
import type { Dialect, Tables } from './tables.ts'

/** Answers, failures and times of each source, one row for each minute and node. */
export async function leituras(db: Kysely<Tables>, dialect: Dialect): Promise<void> {
  // A crash of PostgreSQL loses this table, on purpose: it holds only the last hour.
  const kind = dialect === 'postgres' ? sql`unlogged` : sql``
  await sql`create ${kind} table leituras (
    ambiente text not null,
    fonte text not null,
    no text not null,
    minuto bigint not null,
    consultas integer not null,
    sucessos integer not null,
    tempos text not null,
    falha_tipo text,
    falha_codigo text,
    falha_em bigint,
    ultima_em bigint not null,
    aberto_ate bigint,
    primary key (minuto, ambiente, fonte, no)
  )`.execute(db)
}
