import { type Kysely, sql } from 'kysely'
import type { Dialect, Tables } from './tables.ts'

/** Logins, one-time codes, the price of a note in its entry, failed sources and the calls of each day. */
export async function acessos(db: Kysely<Tables>, dialect: Dialect): Promise<void> {
  for (const coluna of ['senha_em', 'email_confirmado_em'])
    await db.schema.alterTable('contas').addColumn(coluna, 'bigint').execute()
  await db.schema.alterTable('lancamentos').addColumn('reais', 'text').execute()
  await sql`create table acessos (
    id text primary key,
    conta_id text not null references contas (id),
    tipo text not null check (tipo in ('painel', 'api')),
    hash text unique,
    criado_em bigint not null,
    visto_em bigint not null,
    expira_em bigint not null,
    agente text not null,
    endereco text not null
  )`.execute(db)
  await sql`create index acessos_conta on acessos (conta_id)`.execute(db)
  await sql`create index acessos_fim on acessos (expira_em)`.execute(db)
  await sql`create table codigos (
    hash text primary key,
    tipo text not null check (tipo in ('confirmar', 'redefinir', 'convite')),
    conta_id text references contas (id),
    email text not null,
    plano text,
    dados text,
    criado_em bigint not null,
    expira_em bigint not null,
    usado_em bigint
  )`.execute(db)
  await sql`create index codigos_fim on codigos (expira_em)`.execute(db)
  await sql`create index codigos_email on codigos (email, tipo)`.execute(db)
  await sql`create index codigos_conta on codigos (conta_id)`.execute(db)
  await sql`create index usos_conta on usos (conta_id, criado_em, request_id)`.execute(db)
  // A node of the version before writes neither.
  await sql`alter table usos add column fontes_falhas integer not null default 0`.execute(db)
  await sql`alter table usos add column fonte_code text not null default ''`.execute(db)
  await createUsosDia(db, dialect)
}

/** The days since 1970 in Brasília time, which has no summer time (Decreto 9.772/2019). */
const DIA = sql.raw('(criado_em - 10800000) / 86400000')

/**
 * The calls of each account, day and endpoint. A trigger keeps them, so that a node of the version before
 * counts too, and a row that is written twice counts once.
 */
async function createUsosDia(db: Kysely<Tables>, dialect: Dialect): Promise<void> {
  await sql`create table usos_dia (
    conta_id text not null,
    dia integer not null,
    endpoint text not null,
    http integer not null,
    error_code text not null,
    chamadas bigint not null,
    do_cache bigint not null,
    com_falha bigint not null,
    creditos bigint not null,
    ms bigint not null,
    primary key (conta_id, dia, endpoint, http, error_code)
  ) ${sql.raw(dialect === 'postgres' ? '' : 'without rowid')}`.execute(db)
  // Days leave by their age; only the first call of a kind in a day writes it.
  await sql`create index usos_dia_fim on usos_dia (dia)`.execute(db)
  // The trigger first: on PostgreSQL it keeps the other nodes from writing until this transaction ends.
  await (dialect === 'postgres' ? countOnPostgres(db) : countOnSqlite(db))
  await sql`insert into usos_dia ${sumOf('usos')}`.execute(db)
}

const sumOf = (rows: 'usos' | 'novos') => sql`
  select conta_id, cast(${DIA} as integer), endpoint, http, error_code, count(*), sum(cached),
  sum(case when fontes_falhas > 0 then 1 else 0 end), sum(creditos), sum(ms)
  from ${sql.raw(rows)} group by 1, 2, 3, 4, 5 order by 1, 2, 3, 4, 5`

const ADD = sql`
  on conflict (conta_id, dia, endpoint, http, error_code) do update set
    chamadas = usos_dia.chamadas + excluded.chamadas, do_cache = usos_dia.do_cache + excluded.do_cache,
    com_falha = usos_dia.com_falha + excluded.com_falha,
    creditos = usos_dia.creditos + excluded.creditos, ms = usos_dia.ms + excluded.ms`

async function countOnPostgres(db: Kysely<Tables>): Promise<void> {
  await sql`create function contar_usos() returns trigger language plpgsql as $$
    begin insert into usos_dia ${sumOf('novos')} ${ADD}; return null; end $$`.execute(db)
  await sql`create trigger usos_contar after insert on usos referencing new table as novos
    for each statement execute function contar_usos()`.execute(db)
}

const countOnSqlite = (db: Kysely<Tables>): Promise<unknown> =>
  sql`create trigger usos_contar after insert on usos begin
    insert into usos_dia values (new.conta_id, (new.criado_em - 10800000) / 86400000, new.endpoint, new.http,
      new.error_code, 1, new.cached, new.fontes_falhas > 0, new.creditos, new.ms) ${ADD};
  end`.execute(db)
