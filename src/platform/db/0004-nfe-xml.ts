import { type Kysely, sql } from 'kysely'
import type { Dialect, Tables } from './tables.ts'

/** Queries to the national environment by holder, and the calls that may be repeated. */
export async function nfeXml(db: Kysely<Tables>, dialect: Dialect): Promise<void> {
  // A crash of PostgreSQL loses this table, on purpose: it holds only the last hour.
  const kind = dialect === 'postgres' ? sql`unlogged` : sql``
  await sql`create ${kind} table consumo (
    titular text primary key,
    instantes text not null,
    bloqueado_ate bigint not null
  )`.execute(db)
  await sql`create table idempotencia (
    chave text primary key,
    corpo text not null,
    request_id text not null,
    ate bigint not null,
    eventos text,
    resposta text,
    creditos bigint not null,
    expira_em bigint not null
  )`.execute(db)
  await sql`create index idempotencia_expira_em on idempotencia (expira_em)`.execute(db)
}
