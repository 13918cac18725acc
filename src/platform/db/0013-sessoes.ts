import { type Kysely, sql } from 'kysely'
import type { Tables } from './tables.ts'

/** The operator's sessions with authorities that answer only to a person who entered. */
export async function sessoes(db: Kysely<Tables>): Promise<void> {
  await sql`create table sessoes (
    nome text primary key,
    versao text not null,
    selada text not null,
    importada_em bigint not null,
    renovada_em bigint,
    vence_em bigint not null,
    login_ate bigint,
    renovavel integer not null check (renovavel in (0, 1)),
    estado text not null check (estado in ('boa', 'suspeita', 'encerrada')),
    motivo text not null
  )`.execute(db)
}
