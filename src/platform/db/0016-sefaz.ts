import { type Kysely, sql } from 'kysely'
import type { Dialect, Tables } from './tables.ts'

/** The monitor of the SEFAZ: rounds, their readings, days, incidents, pace, contingency. */
export async function sefaz(db: Kysely<Tables>, dialect: Dialect): Promise<void> {
  const bytes = sql.raw(dialect === 'postgres' ? 'bytea' : 'blob')
  await sql`create table rodadas_sefaz (
    ambiente text not null,
    em bigint not null,
    fim bigint not null,
    fonte text not null check (fonte in ('servicos', 'paginas')),
    sem_rede integer not null check (sem_rede in (0, 1)),
    primary key (ambiente, em)
  )`.execute(db)
  await sql`create table leituras_sefaz (
    ambiente text not null,
    autorizador text not null,
    em bigint not null,
    resultado text not null,
    conexao_ms integer,
    tls_ms integer,
    resposta_ms integer,
    cstat integer,
    motivo text not null,
    desmentida integer,
    primary key (ambiente, autorizador, em)
  )${sql.raw(dialect === 'postgres' ? '' : ' without rowid')}`.execute(db)
  await sql`create table dias_sefaz (
    ambiente text not null,
    autorizador text not null,
    dia text not null,
    leituras integer not null,
    erros integer not null,
    timeouts integer not null,
    tempos ${bytes} not null,
    confirmadas integer not null,
    desmentidas integer not null,
    primary key (ambiente, autorizador, dia)
  )`.execute(db)
  await sql`create table incidentes_sefaz (
    id text primary key,
    ambiente text not null,
    casa text not null,
    inicio bigint not null,
    fim bigint,
    quedas text not null
  )`.execute(db)
  await sql`create index incidentes_sefaz_inicio on incidentes_sefaz (ambiente, inicio)`.execute(db)
  await sql`create table ritmos_sefaz (
    ambiente text not null,
    autorizador text not null,
    proxima bigint not null,
    fator integer not null,
    motivo text not null,
    primary key (ambiente, autorizador)
  )`.execute(db)
  await sql`create table ativacoes_sefaz (
    ambiente text not null,
    doc text not null check (doc in ('nfe', 'cte')),
    uf text not null,
    estado text not null check (estado in ('ativada', 'encerrando', 'desativada')),
    em bigint not null,
    primary key (ambiente, doc, uf)
  )`.execute(db)
}
