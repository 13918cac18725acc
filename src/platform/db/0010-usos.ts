import { type Kysely, sql } from 'kysely'
import type { Dialect, Tables } from './tables.ts'

/**
 * The outcome of each call of an account. On PostgreSQL a month is a partition, which is dropped as a whole.
 */
export async function usos(db: Kysely<Tables>, dialect: Dialect): Promise<void> {
  const how = dialect === 'postgres' ? sql`partition by range (criado_em)` : sql`without rowid`
  // In the order of their writing, so that a row costs little, and repeated it is known (decision 25).
  await sql`create table usos (
    criado_em bigint not null,
    request_id text not null,
    conta_id text not null,
    endpoint text not null,
    documento text not null,
    uf text not null,
    http integer not null,
    error_code text not null,
    creditos bigint not null,
    cached integer not null,
    ms integer not null,
    primary key (criado_em, request_id)
  ) ${how}`.execute(db)
}
