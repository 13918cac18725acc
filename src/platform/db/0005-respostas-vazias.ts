import { type Kysely, sql } from 'kysely'
import type { Dialect, Tables } from './tables.ts'

/**
 * Counts the answers of each source that found nothing, by hour and node. Also keeps unknown labels of its
 * pages.
 */
export async function respostasVazias(db: Kysely<Tables>, _dialect: Dialect): Promise<void> {
  await sql`alter table leituras add column vazias integer not null default 0`.execute(db)
  await sql`alter table leituras add column rotulos text not null default '[]'`.execute(db)
  await sql`create table leituras_hora (
    ambiente text not null,
    fonte text not null,
    no text not null,
    hora bigint not null,
    respostas integer not null,
    vazias integer not null,
    primary key (hora, ambiente, fonte, no)
  )`.execute(db)
}
