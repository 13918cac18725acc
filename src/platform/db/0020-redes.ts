import { type Kysely, sql } from 'kysely'
import type { Dialect, Tables } from './tables.ts'

/** The networks from which the owner of each account logged in. */
export async function redes(db: Kysely<Tables>, _dialect: Dialect): Promise<void> {
  await sql`create table redes (
    rede text primary key,
    conta_id text not null references contas (id),
    vista_em bigint not null
  )`.execute(db)
  await sql`create index redes_conta on redes (conta_id)`.execute(db)
  await sql`create index redes_fim on redes (vista_em)`.execute(db)
}
