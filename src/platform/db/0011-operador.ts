import { type Kysely, sql } from 'kysely'
import type { Dialect, Tables } from './tables.ts'

/** What an operator does to an account: he blocks it, negotiates its price and debits it. */
export async function operador(db: Kysely<Tables>, dialect: Dialect): Promise<void> {
  // Before the entries, as every transaction of the ledger does: nodes of the version before are at work.
  for (const [coluna, tipo] of [
    ['bloqueada_em', 'bigint'],
    ['motivo_bloqueio', 'text'],
    ['preco_xml', 'text'],
  ] as const)
    await db.schema.alterTable('contas').addColumn(coluna, tipo).execute()
  await (dialect === 'postgres' ? replaceCheck(db) : rebuild(db))
}

const KINDS = sql`check (tipo in ('hold', 'charge', 'release', 'grant', 'renewal', 'debit'))`

/** The entries that exist satisfy it. To read them all would stop the other nodes meanwhile. */
const replaceCheck = (db: Kysely<Tables>): Promise<unknown> =>
  sql`alter table lancamentos drop constraint lancamentos_tipo_check,
    add constraint lancamentos_tipo_check ${KINDS} not valid`.execute(db)

/** SQLite changes a check of a table only by a copy of it. A million entries take some seconds. */
async function rebuild(db: Kysely<Tables>): Promise<void> {
  await sql`
    create table lancamentos_novo (
      conta_id text not null, request_id text not null,
      tipo text not null constraint lancamentos_tipo_check ${KINDS},
      creditos bigint not null check (creditos >= 0), cota bigint not null, extra bigint not null,
      endpoint text not null, criado_em bigint not null, no text not null,
      anterior_request text not null, anterior_tipo text not null,
      constraint lancamentos_pk primary key (request_id, tipo)
    ) without rowid`.execute(db)
  await sql`
    insert into lancamentos_novo (conta_id, request_id, tipo, creditos, cota, extra, endpoint, criado_em, no,
      anterior_request, anterior_tipo)
    select conta_id, request_id, tipo, creditos, cota, extra, endpoint, criado_em, no, anterior_request,
      anterior_tipo from lancamentos order by request_id, tipo`.execute(db)
  await db.schema.dropTable('lancamentos').execute()
  await sql`alter table lancamentos_novo rename to lancamentos`.execute(db)
}
