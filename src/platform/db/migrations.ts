import { type Kysely, sql } from 'kysely'
import type { Dialect, Tables } from './tables.ts'

/** In their order, and over 400 lines: a released one never changes, and nobody reads all of them. */
export const migrations: readonly ((db: Kysely<Tables>, dialect: Dialect) => Promise<void>)[] = [
  contasECreditos,
  cache,
  leituras,
  nfeXml,
  respostasVazias,
  retencoesSemLancamento,
  turnos,
  sonda,
  trabalhos,
  usos,
  operador,
  certidoesFederais,
  sessoes,
  contaDoTrabalho,
  filaPorConta,
  sefaz,
  acessos,
  somasMes,
  respostasIncompletas,
  redes,
  usoTarde,
  chavesConta,
  lancamentosPorTipo,
  retencoesConta,
  consultasGuardadas,
  linhasDoLivro,
  somarPeloIndice,
]

async function contasECreditos(db: Kysely<Tables>, dialect: Dialect): Promise<void> {
  await createContas(db)
  await createLedger(db, dialect)
  // Nodes share this table. A crash of PostgreSQL loses it, on purpose.
  if (dialect === 'postgres')
    await sql`create unlogged table limites (key text primary key, points integer not null, expire bigint not null)`.execute(
      db,
    )
}

async function createContas(db: Kysely<Tables>): Promise<void> {
  await db.schema
    .createTable('contas')
    .addColumn('id', 'text', (col) => col.primaryKey())
    .addColumn('nome', 'text', (col) => col.notNull())
    .addColumn('email', 'text', (col) => col.notNull().unique())
    .addColumn('senha_hash', 'text')
    .addColumn('plano', 'text', (col) => col.notNull())
    .addColumn('preco_exclusivo', 'integer', (col) => col.notNull().defaultTo(0))
    .addColumn('criada_em', 'bigint', (col) => col.notNull())
    .execute()
  await db.schema
    .createTable('chaves')
    .addColumn('id', 'text', (col) => col.primaryKey())
    .addColumn('conta_id', 'text', (col) => col.notNull().references('contas.id'))
    .addColumn('hash', 'text', (col) => col.notNull().unique())
    .addColumn('cifrada', 'text', (col) => col.notNull())
    .addColumn('criada_em', 'bigint', (col) => col.notNull())
    .addColumn('expira_em', 'bigint')
    .execute()
  await sql`create unique index chaves_atual on chaves (conta_id) where expira_em is null`.execute(db)
}

async function createLedger(db: Kysely<Tables>, dialect: Dialect): Promise<void> {
  // Each page keeps room for the next version of a balance. Its update then leaves the index alone.
  await db.schema
    .createTable('saldos')
    .addColumn('conta_id', 'text', (col) => col.primaryKey().references('contas.id'))
    .addColumn('cota', 'bigint', (col) => col.notNull().check(sql`cota >= 0`))
    .addColumn('extra', 'bigint', (col) => col.notNull().check(sql`extra >= 0`))
    .addColumn('periodo', 'text', (col) => col.notNull())
    .addColumn('concedida', 'bigint', (col) => col.notNull())
    .addColumn('ultimo_request', 'text', (col) => col.notNull())
    .addColumn('ultimo_tipo', 'text', (col) => col.notNull())
    .modifyEnd(dialect === 'postgres' ? sql`with (fillfactor = 50)` : sql``)
    .execute()
  // No foreign key: every entry is written under the lock of its `saldos` row, which has one. No index by
  // account: it would double the cost of a charge, so an account's entries are a chain from the newest one
  // back.
  await db.schema
    .createTable('lancamentos')
    .addColumn('conta_id', 'text', (col) => col.notNull())
    .addColumn('request_id', 'text', (col) => col.notNull())
    .addColumn('tipo', 'text', (col) =>
      col.notNull().check(sql`tipo in ('hold', 'charge', 'release', 'grant', 'renewal')`),
    )
    .addColumn('creditos', 'bigint', (col) => col.notNull().check(sql`creditos >= 0`))
    .addColumn('cota', 'bigint', (col) => col.notNull())
    .addColumn('extra', 'bigint', (col) => col.notNull())
    .addColumn('endpoint', 'text', (col) => col.notNull())
    .addColumn('criado_em', 'bigint', (col) => col.notNull())
    .addColumn('no', 'text', (col) => col.notNull())
    .addColumn('anterior_request', 'text', (col) => col.notNull())
    .addColumn('anterior_tipo', 'text', (col) => col.notNull())
    .addPrimaryKeyConstraint('lancamentos_pk', ['request_id', 'tipo'])
    .modifyEnd(dialect === 'sqlite' ? sql`without rowid` : sql``)
    .execute()
  await createProcessTables(db)
}

async function createProcessTables(db: Kysely<Tables>): Promise<void> {
  await db.schema
    .createTable('retencoes')
    .addColumn('request_id', 'text', (col) => col.primaryKey())
    .addColumn('conta_id', 'text', (col) => col.notNull())
    .addColumn('endpoint', 'text', (col) => col.notNull())
    .addColumn('cota', 'bigint', (col) => col.notNull())
    .addColumn('extra', 'bigint', (col) => col.notNull())
    .addColumn('periodo', 'text', (col) => col.notNull())
    .addColumn('no', 'text', (col) => col.notNull())
    .addColumn('criada_em', 'bigint', (col) => col.notNull())
    .execute()
  await db.schema
    .createTable('nos')
    .addColumn('id', 'text', (col) => col.primaryKey())
    .addColumn('batimento', 'bigint', (col) => col.notNull())
    .execute()
}

async function cache(db: Kysely<Tables>, dialect: Dialect): Promise<void> {
  // A crash of PostgreSQL loses this table, on purpose: the authorities are asked again.
  const kind = dialect === 'postgres' ? sql`unlogged` : sql``
  await sql`create ${kind} table cache (chave text primary key, valor text not null, expira_em bigint not null)`.execute(
    db,
  )
  await sql`create index cache_expira_em on cache (expira_em)`.execute(db)
  await sql`create ${kind} table cargas (chave text primary key, dono text not null, ate bigint not null)`.execute(
    db,
  )
}

async function leituras(db: Kysely<Tables>, dialect: Dialect): Promise<void> {
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

async function nfeXml(db: Kysely<Tables>, dialect: Dialect): Promise<void> {
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

async function respostasVazias(db: Kysely<Tables>): Promise<void> {
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

/**
 * From here on a hold writes no entry, so a free call leaves none. Holds of an earlier program are returned
 * by an entry, because no process works on those calls any more.
 */
async function retencoesSemLancamento(db: Kysely<Tables>): Promise<void> {
  const open = await db.selectFrom('retencoes').selectAll().orderBy('request_id').execute()
  for (const { conta_id, request_id, endpoint, cota, extra, periodo, no, criada_em } of open) {
    const saldo = await db
      .selectFrom('saldos')
      .select(['periodo', 'ultimo_request', 'ultimo_tipo'])
      .where('conta_id', '=', conta_id)
      .executeTakeFirstOrThrow()
    const back = { cota: periodo === saldo.periodo ? cota : 0, extra }
    const entry = { conta_id, request_id, tipo: 'release' as const, endpoint, no, criado_em: criada_em }
    const anterior = { anterior_request: saldo.ultimo_request, anterior_tipo: saldo.ultimo_tipo }
    await db
      .insertInto('lancamentos')
      .values({ ...entry, ...anterior, ...back, creditos: cota + extra })
      .execute()
    await db
      .updateTable('saldos')
      .set({
        cota: sql`cota + ${back.cota}`,
        extra: sql`extra + ${back.extra}`,
        ultimo_request: request_id,
        ultimo_tipo: 'release',
      })
      .where('conta_id', '=', conta_id)
      .execute()
  }
  await db.deleteFrom('retencoes').execute()
}

async function turnos(db: Kysely<Tables>, dialect: Dialect): Promise<void> {
  const kind = dialect === 'postgres' ? sql`unlogged` : sql``
  await sql`create ${kind} table turnos (
    fonte text primary key,
    dono text not null,
    ate bigint not null,
    livre_em bigint not null
  )`.execute(db)
}

async function sonda(db: Kysely<Tables>): Promise<void> {
  await sql`create table sonda (id text primary key, enchimento text not null)`.execute(db)
}

async function trabalhos(db: Kysely<Tables>, dialect: Dialect): Promise<void> {
  await sql`create table trabalhos (
    id text primary key,
    tipo text not null,
    chave text not null,
    estado text not null check (estado in ('aberto', 'feito', 'morto')),
    dados text not null,
    livre_em bigint not null,
    tentativas integer not null,
    dono text,
    resultado text,
    motivo text,
    criado_em bigint not null,
    terminado_em bigint,
    expira_em bigint
  )`.execute(db)
  await sql`create unique index trabalhos_chave on trabalhos (tipo, chave) where estado = 'aberto'`.execute(
    db,
  )
  await sql`create index trabalhos_vez on trabalhos (tipo, livre_em) where estado = 'aberto'`.execute(db)
  await sql`create index trabalhos_expira_em on trabalhos (expira_em) where expira_em is not null`.execute(db)
  await sql`create table agendas (nome text primary key, proxima bigint not null)`.execute(db)
  // It takes the place of `cargas` and `turnos`.
  const kind = dialect === 'postgres' ? sql`unlogged` : sql``
  await sql`create ${kind} table posses (
    nome text primary key,
    dono text not null,
    ate bigint not null,
    livre_em bigint not null,
    vez integer not null
  )`.execute(db)
  // On PostgreSQL a node of the version before may still be at work. It asks both tables, and answers 500
  // without them.
  if (dialect === 'postgres') return
  await sql`drop table if exists cargas`.execute(db)
  await sql`drop table if exists turnos`.execute(db)
}

async function usos(db: Kysely<Tables>, dialect: Dialect): Promise<void> {
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

async function operador(db: Kysely<Tables>, dialect: Dialect): Promise<void> {
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

async function certidoesFederais(db: Kysely<Tables>): Promise<void> {
  await sql`create table certidoes (
    chave text primary key,
    certidao text,
    conferida_em bigint not null,
    emissao text,
    emitida_em bigint not null,
    anunciada text,
    andamento text,
    recusa text,
    recusada_em bigint not null,
    expira_em bigint not null
  )`.execute(db)
  await sql`create index certidoes_expira_em on certidoes (expira_em)`.execute(db)
  await sql`create table confianca (
    chave text primary key,
    recusados text not null,
    experiencia_em bigint not null
  )`.execute(db)
}

async function sessoes(db: Kysely<Tables>): Promise<void> {
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

async function contaDoTrabalho(db: Kysely<Tables>): Promise<void> {
  // A node of the version before inserts without it.
  await sql`alter table trabalhos add column conta_id text not null default ''`.execute(db)
}

async function filaPorConta(db: Kysely<Tables>): Promise<void> {
  // A node of the version before still claims without it. It sorts the open jobs of the kind.
  await sql`drop index trabalhos_vez`.execute(db)
  await sql`create index trabalhos_fila on trabalhos (tipo, conta_id, livre_em) where estado = 'aberto'`.execute(
    db,
  )
  await sql`create index trabalhos_em_curso on trabalhos (tipo, livre_em) where dono is not null`.execute(db)
}

async function sefaz(db: Kysely<Tables>, dialect: Dialect): Promise<void> {
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

async function acessos(db: Kysely<Tables>, dialect: Dialect): Promise<void> {
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

const sumOf = (rows: string, order = 'order by 1, 2, 3, 4, 5') => sql`
  select conta_id, cast(${DIA} as integer), endpoint, http, error_code, count(*), sum(cached),
  sum(case when fontes_falhas > 0 then 1 else 0 end), sum(creditos), sum(ms)
  from ${sql.raw(rows)} group by 1, 2, 3, 4, 5 ${sql.raw(order)}`

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

async function somasMes(db: Kysely<Tables>, dialect: Dialect): Promise<void> {
  await db.schema
    .createTable('somas_mes')
    .addColumn('conta_id', 'text', (col) => col.notNull().references('contas.id'))
    .addColumn('mes', 'text', (col) => col.notNull())
    .addColumn('ate_request', 'text', (col) => col.notNull())
    .addColumn('ate_tipo', 'text', (col) => col.notNull())
    .addColumn('somas', 'text', (col) => col.notNull())
    .addPrimaryKeyConstraint('somas_mes_pk', ['conta_id', 'mes'])
    .$call((table) => (dialect === 'sqlite' ? table.modifyEnd(sql`without rowid`) : table))
    .execute()
}

async function respostasIncompletas(db: Kysely<Tables>): Promise<void> {
  await sql`alter table leituras add column incompletas integer not null default 0`.execute(db)
}

async function redes(db: Kysely<Tables>): Promise<void> {
  await sql`create table redes (
    rede text primary key,
    conta_id text not null references contas (id),
    vista_em bigint not null
  )`.execute(db)
  await sql`create index redes_conta on redes (conta_id)`.execute(db)
  await sql`create index redes_fim on redes (vista_em)`.execute(db)
}

/**
 * Sums of days, and on the embedded database the index by account, are written late (decision 96). What comes
 * before the mark enters with its row, also that of a node of the version before.
 */
async function usoTarde(db: Kysely<Tables>, dialect: Dialect): Promise<void> {
  await sql`create table usos_marca (
    unica integer primary key check (unica = 1),
    criado_em bigint not null,
    request_id text not null
  )`.execute(db)
  await sql`insert into usos_marca values (1, 0, '')`.execute(db)
  await (dialect === 'postgres' ? sumLateOnPostgres(db) : indexLateOnSqlite(db))
}

const MARK_LAST = sql`update usos_marca set criado_em = ultima.criado_em, request_id = ultima.request_id
  from (select criado_em, request_id from usos order by criado_em desc, request_id desc limit 1) as ultima`

/**
 * Whoever writes holds the mark where it is until its commit, and whoever moves it waits for that: so no row
 * is summed twice, and none is passed over.
 */
async function sumLateOnPostgres(db: Kysely<Tables>): Promise<void> {
  await sql`lock table usos in share row exclusive mode`.execute(db)
  await MARK_LAST.execute(db)
  await sql`create or replace function contar_usos() returns trigger language plpgsql as $$
    declare marca record;
    begin
      select m.criado_em, m.request_id into marca from usos_marca m for share;
      insert into usos_dia ${sumOf('novos where (criado_em, request_id) <= (marca.criado_em, marca.request_id)')} ${ADD};
      return null;
    end $$`.execute(db)
  await SOMAR.execute(db)
}

const QUE_ESPERAM = `usos where criado_em between marca.criado_em and ate
  and (criado_em, request_id) > (marca.criado_em, marca.request_id)`

/**
 * One statement of its caller, so that a caller that is frozen holds no lock. It says if a whole batch
 * waited, and reads no other rows: with `enable_sort` on it sorted all, since statistics lag behind.
 */
const SOMAR = sql`create or replace function somar_usos(ate bigint, quantas integer) returns integer
  language plpgsql set enable_sort = off as $$
    declare marca record; ultima record; linhas integer := quantas;
    begin
      select m.criado_em, m.request_id into marca from usos_marca m for update;
      select criado_em, request_id into ultima from ${sql.raw(QUE_ESPERAM)} order by 1, 2 limit 1 offset quantas - 1;
      if not found then
        linhas := 0;
        select criado_em, request_id into ultima from ${sql.raw(QUE_ESPERAM)} order by 1 desc, 2 desc limit 1;
        if not found then return 0; end if;
      end if;
      ate := ultima.criado_em;
      insert into usos_dia ${sumOf(`${QUE_ESPERAM} and (criado_em, request_id) <= (ultima.criado_em, ultima.request_id)`, '')} ${ADD};
      update usos_marca set criado_em = ultima.criado_em, request_id = ultima.request_id;
      return linhas;
    end $$`

/** A database of before gets the function of today: the first one sorted all that waited. */
async function somarPeloIndice(db: Kysely<Tables>, dialect: Dialect): Promise<void> {
  if (dialect === 'postgres') await SOMAR.execute(db)
}

/** A row is in the sums when it has an entry in the index: whatever writes one writes both. */
async function indexLateOnSqlite(db: Kysely<Tables>): Promise<void> {
  await sql`create table usos_indice (
    conta_id text not null,
    criado_em bigint not null,
    request_id text not null,
    primary key (conta_id, criado_em, request_id)
  ) without rowid`.execute(db)
  // In the order of the index that goes.
  await sql`insert into usos_indice select conta_id, criado_em, request_id from usos order by 1, 2, 3`.execute(
    db,
  )
  await sql`drop index usos_conta`.execute(db)
  await MARK_LAST.execute(db)
  await sql`drop trigger usos_contar`.execute(db)
  await sql`create trigger usos_contar after insert on usos
    when (new.criado_em, new.request_id) <= (select criado_em, request_id from usos_marca) begin
      insert or ignore into usos_indice values (new.conta_id, new.criado_em, new.request_id);
      insert into usos_dia values (new.conta_id, (new.criado_em - 10800000) / 86400000, new.endpoint, new.http,
        new.error_code, 1, new.cached, new.fontes_falhas > 0, new.creditos, new.ms) ${ADD};
    end`.execute(db)
  await sql`create trigger usos_esquecer after delete on usos begin
    delete from usos_indice where conta_id = old.conta_id and criado_em = old.criado_em
      and request_id = old.request_id;
  end`.execute(db)
}

async function chavesConta(db: Kysely<Tables>): Promise<void> {
  // PostgreSQL reads on meanwhile. Only who issues or ends a key waits: a second for a million.
  await sql`create index chaves_conta on chaves (conta_id)`.execute(db)
}

/**
 * A charge reads accounts first, then entries and holds. A migration that comes to accounts last, as one
 * below does, would wait for it in a circle.
 */
const lockContas = (db: Kysely<Tables>): Promise<unknown> =>
  sql`lock table contas in access exclusive mode`.execute(db)

/** Bytes of a ledger whose index is made anew in less than a second: some 250,000 entries. */
const SMALL_LEDGER = 64 * 1024 * 1024

/**
 * Charges stand last in the new index, so its pages are left full; renewals stood behind them, and each page
 * was left half full (decision 103). The key of a large ledger stays until the operator changes it.
 */
async function lancamentosPorTipo(db: Kysely<Tables>, dialect: Dialect): Promise<void> {
  if (dialect === 'sqlite') return
  await lockContas(db)
  const { rows } = await sql<{ bytes: number }>`select pg_relation_size('lancamentos') as bytes`.execute(db)
  if (Number(rows[0]?.bytes) > SMALL_LEDGER) return
  // At once the strongest lock that it comes to: who has read the table could not write it meanwhile.
  await sql`lock table lancamentos in access exclusive mode`.execute(db)
  await sql`create unique index lancamentos_por_tipo on lancamentos (tipo desc, request_id)`.execute(db)
  await sql`alter table lancamentos drop constraint lancamentos_pk`.execute(db)
}

/** The request stays first in the key: by it a node of the version before looks for holds. */
async function retencoesConta(db: Kysely<Tables>, dialect: Dialect): Promise<void> {
  if (dialect === 'sqlite') return
  await lockContas(db)
  await sql`alter table retencoes drop constraint retencoes_pkey, add primary key (request_id, conta_id)`.execute(
    db,
  )
}

/** Answers of the dashboard, in parts: what the page draws, and each file by itself (decision 110). */
async function consultasGuardadas(db: Kysely<Tables>): Promise<void> {
  await sql`create table consultas_guardadas (
    request_id text not null,
    parte text not null,
    conta_id text not null references contas (id) on delete cascade,
    expira_em bigint not null,
    bytes integer not null,
    selado text not null,
    primary key (request_id, parte)
  )`.execute(db)
  await sql`create index consultas_guardadas_conta on consultas_guardadas (conta_id, request_id)`.execute(db)
  await sql`create index consultas_guardadas_fim on consultas_guardadas (expira_em)`.execute(db)
  // Null is the default: so writes a node of the version before.
  await sql`alter table contas add column guarda_minutos integer`.execute(db)
}

/** A charge writes a row of each table. What SQLite did for it besides is gone (decision 114). */
async function linhasDoLivro(db: Kysely<Tables>, dialect: Dialect): Promise<void> {
  if (dialect === 'postgres') return
  // A list after `in` is put into a table of its own for each row that is checked. SQLite alters a check in
  // its place from 3.53 on alone, and Node 24 began with an older one.
  await sql`create table lancamentos_novo (
    conta_id text not null,
    request_id text not null,
    tipo text not null constraint lancamentos_tipo_check check (tipo = 'charge' or tipo = 'hold'
      or tipo = 'release' or tipo = 'grant' or tipo = 'renewal' or tipo = 'debit'),
    creditos bigint not null check (creditos >= 0),
    cota bigint not null,
    extra bigint not null,
    endpoint text not null,
    criado_em bigint not null,
    no text not null,
    anterior_request text not null,
    anterior_tipo text not null,
    reais text,
    constraint lancamentos_pk primary key (request_id, tipo)
  ) without rowid`.execute(db)
  await sql`insert into lancamentos_novo select * from lancamentos order by request_id, tipo`.execute(db)
  await db.schema.dropTable('lancamentos').execute()
  await sql`alter table lancamentos_novo rename to lancamentos`.execute(db)
  await sql`create table saldos_novo (
    conta_id text primary key references contas (id),
    cota bigint not null check (cota >= 0),
    extra bigint not null check (extra >= 0),
    periodo text not null,
    concedida bigint not null,
    ultimo_request text not null,
    ultimo_tipo text not null
  ) without rowid`.execute(db)
  await sql`insert into saldos_novo select * from saldos order by conta_id`.execute(db)
  await db.schema.dropTable('saldos').execute()
  await sql`alter table saldos_novo rename to saldos`.execute(db)
}
