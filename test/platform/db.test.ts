import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { Kysely, PostgresDialect, sql } from 'kysely'
import pg from 'pg'
import { findUsos, sumDias } from '../../src/contas/store-dias.ts'
import { openIndexer } from '../../src/contas/store-indice.ts'
import { periodoOf } from '../../src/documento/dia.ts'
import { type Db, openDb } from '../../src/platform/db/db.ts'
import { migrate } from '../../src/platform/db/migrate.ts'
import { StoreError } from '../../src/platform/db/outage.ts'
import { openSqlite } from '../../src/platform/db/sqlite.ts'
import type { Tables } from '../../src/platform/db/tables.ts'
import { newRequestId } from '../../src/platform/jobs/kind.ts'
import { selectExtrato } from '../../src/platform/ledger/extrato.ts'
import { openLedger } from '../../src/platform/ledger/ledger.ts'
import { newConta } from '../kit/account.ts'
import { NOW, pausa } from '../kit/basics.ts'
import { assertBooks, forEachDatabase, openFor, type Place } from '../kit/databases.ts'

const LANCAMENTO = [
  'conta_id',
  'request_id',
  'tipo',
  'creditos',
  'cota',
  'extra',
  'endpoint',
  'criado_em',
  'no',
  'anterior_request',
  'anterior_tipo',
] as const

const REST = LANCAMENTO.filter((name) => name !== 'tipo')

/** The tables of the federal certificate. */
const FEDERAIS = ['certidoes', 'confianca', 'sessoes']

/** The tables of the SEFAZ monitor. */
const DO_MONITOR = [
  'rodadas_sefaz',
  'leituras_sefaz',
  'dias_sefaz',
  'incidentes_sefaz',
  'ritmos_sefaz',
  'ativacoes_sefaz',
]

const DOS_ACESSOS = [
  'consultas_guardadas',
  'acessos',
  'codigos',
  'redes',
  'usos_dia',
  'usos_indice',
  'usos_marca',
  'somas_mes',
]

/** Takes from the schema what came after `versao`, but for the tables. */
async function forget(db: Db, versao: number): Promise<void> {
  for (const column of [
    'bloqueada_em',
    'motivo_bloqueio',
    'preco_xml',
    'senha_em',
    'email_confirmado_em',
    'guarda_minutos',
  ])
    await db.kysely.schema.alterTable('contas').dropColumn(column).execute()
  await db.kysely.schema.alterTable('lancamentos').dropColumn('reais').execute()
  if (versao > 2) await db.kysely.schema.alterTable('leituras').dropColumn('incompletas').execute()
  await sql`drop index chaves_conta`.execute(db.kysely)
  if (db.dialect === 'postgres') {
    for (const name of ['contar_usos', 'somar_usos'])
      await sql`drop function ${sql.table(name)}`.execute(db.kysely)
    await sql`alter table lancamentos add constraint lancamentos_pk primary key (request_id, tipo)`.execute(
      db.kysely,
    )
    await sql`drop index lancamentos_por_tipo`.execute(db.kysely)
  }
  await sql`delete from esquema where versao > ${versao}`.execute(db.kysely)
}

/** The statements of docs/operations/upgrade.md that give a large ledger its new index. */
const statements = (): string[] =>
  (
    /```sql\n(create unique index concurrently[^`]*)```/
      .exec(readFileSync(join(import.meta.dirname, '../../docs/operations/upgrade.md'), 'utf8'))?.[1]
      ?.split(/;\s*/) ?? []
  ).filter((statement) => statement !== '')

/** The columns of each index of the entries. */
async function keysOf(kysely: Kysely<Tables>): Promise<string[]> {
  const { rows } = await sql<{ indexdef: string }>`
    select indexdef from pg_indexes where tablename = 'lancamentos' order by indexname`.execute(kysely)
  return rows.map(({ indexdef }) => indexdef.replace(/^.*\(|\)$/g, ''))
}

/** A connection that leaves the schema as it is. */
const connectTo = ({ databaseUrl, arquivo }: Place): Kysely<Tables> =>
  new Kysely({
    dialect: databaseUrl
      ? new PostgresDialect({ pool: new pg.Pool({ connectionString: databaseUrl }) })
      : openSqlite(arquivo).dialect,
  })

forEachDatabase((dialect, fresh) => {
  test('nodes that start at once on an empty database make its schema once', async (t) => {
    const place = await fresh(t, { schema: false })
    // One process at a time writes to SQLite, and it waits for another without yielding. So within one
    // process they go one after another.
    const nodes =
      dialect === 'sqlite'
        ? [await openFor(t, place), await openFor(t, place)]
        : await Promise.all([1, 2, 3, 4].map(() => openFor(t, place)))
    for (const db of nodes) await newConta(db)
    const { rows } = await sql<{ versao: number }>`select versao from esquema`.execute(
      (await openFor(t, place)).kysely,
    )
    assert.deepEqual(
      rows.map(({ versao }) => versao),
      [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27],
    )
  })

  if (dialect === 'postgres')
    for (const [who, lock] of [
      [
        'a node of the release before, which knows the advisory lock alone',
        'select pg_advisory_xact_lock(5461001)',
      ],
      [
        'a node of this release, by the row of the first version',
        'select 1 from esquema where versao = 1 for update',
      ],
    ] as const)
      test(`a migration waits for that of ${who}`, async (t) => {
        const place = await fresh(t)
        const before = await openFor(t, place)
        const waits = () =>
          sql`select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
            .execute(before.kysely)
            .then(({ rows }) => rows.length > 0)
        let opened = false
        const later = await before.kysely.transaction().execute(async (trx) => {
          await sql.raw(lock).execute(trx)
          const opening = openDb(place).finally(() => {
            opened = true
          })
          while (!(await waits())) await pausa()
          assert.equal(opened, false)
          return { opening }
        })
        await (await later.opening).close()
      })

  test('a hold that is open when the account enters its key on PostgreSQL stays, and there is one of a request', async (t) => {
    const place = await fresh(t, { schema: false })
    const old = connectTo(place)
    await migrate(old, dialect, 22)
    const held = {
      request_id: 'r',
      conta_id: 'c',
      endpoint: '/api',
      cota: 3,
      extra: 0,
      no: 'n',
      criada_em: 1,
    }
    const hold = { ...held, periodo: periodoOf(NOW) }
    await old.insertInto('retencoes').values(hold).execute()
    await old.destroy()
    const { kysely } = await openFor(t, place)
    assert.deepEqual({ ...(await kysely.selectFrom('retencoes').selectAll().executeTakeFirst()) }, hold)
    if (dialect === 'postgres')
      await kysely
        .insertInto('retencoes')
        .values({ ...hold, conta_id: 'd' })
        .execute()
    await assert.rejects(kysely.insertInto('retencoes').values(hold).execute())
  })

  test('a database of an older program is brought up to date, and keeps what it holds', async (t) => {
    const place = await fresh(t)
    const old = await openDb(place)
    const { id } = await newConta(old)
    for (const table of [
      'cache',
      'leituras',
      'leituras_hora',
      'consumo',
      'idempotencia',
      'sonda',
      ...FEDERAIS,
      ...DOS_ACESSOS,
      ...DO_MONITOR,
      'trabalhos',
      'agendas',
      'posses',
      'usos',
      'cargas',
      'turnos',
    ])
      await sql`drop table if exists ${sql.table(table)}`.execute(old.kysely)
    await forget(old, 1)
    await old.close()
    const db = await openFor(t, place)
    const contas = await db.kysely.selectFrom('contas').select('id').execute()
    assert.deepEqual(
      contas.map((conta) => conta.id),
      [id],
    )
    assert.deepEqual(await db.kysely.selectFrom('cache').selectAll().execute(), [])
  })

  test('calls of the version before late sums are read and summed, also those that it writes after the change', async (t) => {
    const place = await fresh(t, { schema: false })
    const old = connectTo(place)
    t.after(() => old.destroy())
    await migrate(old, dialect, 20)
    if (dialect === 'postgres')
      await sql`create table usos_2026_11 partition of usos
        for values from (${sql.lit(0)}) to (${sql.lit(2 * NOW.getTime())})`.execute(old)
    const write = (at: number, instant: number) =>
      sql`insert into usos (criado_em, request_id, conta_id, endpoint, documento, uf, http, error_code, creditos, cached, ms)
        values (${instant}, ${`pedido-${at}`}, 'conta-1', '/api/consultar-cnpj', '', '', 200, '', 1, 0, 4)
        on conflict do nothing`.execute(old)
    for (let at = 0; at < 30; at++) await write(at, NOW.getTime() + at)
    const db = await openFor(t, place)
    // One that was on its way, one again, one that is new.
    await write(30, NOW.getTime() - 1)
    await write(29, NOW.getTime() + 29)
    await write(31, NOW.getTime() + 100)
    const periodo = { de: '2026-11-14', ate: '2026-11-14' }
    const alcance = { sentido: 'antigas', marco: undefined, linhas: 100, scan: 100 } as const
    const readBoth = async () => {
      const [dia] = await sumDias(db, 'conta-1', periodo)
      const { usos } = await findUsos(db, 'conta-1', periodo, alcance)
      return [dia?.chamadas, dia?.ms, usos.length]
    }
    assert.deepEqual(await readBoth(), [32, 128, 32])
    await openIndexer(db)(NOW.getTime() + 1_000)
    assert.deepEqual(await readBoth(), [32, 128, 32])
    const { all } = await db.kysely
      .selectFrom('usos_dia')
      .select(({ fn }) => fn.sum<number>('chamadas').as('all'))
      .executeTakeFirstOrThrow()
    assert.equal(Number(all), 32)
  })

  test('a large ledger keeps its key until the operator changes it, while nodes charge', async (t) => {
    // On the embedded database the key is the table.
    if (dialect === 'sqlite') return
    const place = await fresh(t, { schema: false })
    const old = connectTo(place)
    await migrate(old, dialect, 22)
    // One row a page.
    await sql`alter table lancamentos set (fillfactor = 10)`.execute(old)
    await sql`insert into lancamentos (conta_id, request_id, tipo, creditos, cota, extra, endpoint, criado_em, no,
      anterior_request, anterior_tipo)
      select '', i, 'charge', 0, 0, 0, repeat('x', 1900), 0, '', '', '' from generate_series(1, 8300) as i`.execute(
      old,
    )
    await old.destroy()
    const db = await openFor(t, place)
    assert.deepEqual(await keysOf(db.kysely), ['request_id, tipo'])
    const conta = await newConta(db, 'enterprise')
    const nodes = [openLedger(db, { no: 'a', now: () => NOW })]
    nodes.push(openLedger(await openFor(t, place), { no: 'b', now: () => NOW }))
    const rest = { stop: false }
    const charged = nodes.map(async (node, i) => {
      let charges = 0
      for (; !rest.stop || charges < 10; charges++) {
        const request_id = newRequestId(new Date(NOW.getTime() + charges))
        const call = { conta, request_id, endpoint: `/api/${i}`, creditos: 1 }
        const [one, again] = await Promise.all([node.charge(call), nodes[1 - i]?.charge(call)])
        assert.ok(one.ok && again?.ok && one.charged !== again.charged)
      }
      return charges
    })
    const operador = connectTo(place)
    for (const statement of statements()) await sql.raw(statement).execute(operador)
    await operador.destroy()
    rest.stop = true
    const [one = 0, other = 0] = await Promise.all(charged)
    assert.deepEqual(await keysOf(db.kysely), ['tipo DESC, request_id'])
    const { cota } = await assertBooks(db, conta.id)
    assert.equal(cota, 100_000 - one - other)
  })

  test('what an older program still held goes back by an entry, and the sum of all is the balance', async (t) => {
    const place = await fresh(t)
    const old = await openDb(place)
    const conta = await newConta(old)
    const [first] = await selectExtrato(old, conta.id, {})
    assert.ok(first)
    const of = { conta_id: conta.id, request_id: 'r-1', endpoint: '/api/teste', no: 'no-1' }
    const anterior = { anterior_request: first.request_id, anterior_tipo: first.tipo }
    const entry = {
      ...of,
      ...anterior,
      tipo: 'hold' as const,
      creditos: 27,
      cota: -27,
      extra: 0,
      criado_em: 1,
    }
    await old.kysely.insertInto('lancamentos').values(entry).execute()
    const held = { ...of, cota: 27, extra: 0, periodo: periodoOf(NOW), criada_em: 1 }
    await old.kysely.insertInto('retencoes').values(held).execute()
    const less = { cota: 73, ultimo_request: 'r-1', ultimo_tipo: 'hold' as const }
    await old.kysely.updateTable('saldos').set(less).where('conta_id', '=', conta.id).execute()
    for (const table of [
      'turnos',
      'sonda',
      'trabalhos',
      'agendas',
      'posses',
      'usos',
      ...FEDERAIS,
      ...DOS_ACESSOS,
      ...DO_MONITOR,
    ])
      await sql`drop table if exists ${sql.table(table)}`.execute(old.kysely)
    await forget(old, 5)
    await old.close()
    const db = await openFor(t, place)
    const ledger = openLedger(db, { no: 'no-2', now: () => NOW })
    assert.deepEqual(await ledger.saldo(conta), { cota: 100, extra: 0, periodo: periodoOf(NOW) })
    const entries = await ledger.extrato(conta.id)
    assert.deepEqual(
      entries.map(({ tipo, cota }) => [tipo, cota]),
      [
        ['release', 27],
        ['hold', -27],
        ['renewal', 100],
      ],
    )
    assert.equal(await ledger.releaseDead(), 0)
  })

  test('a node of the version before jobs still finds its tables, where it may share the database', async (t) => {
    const { kysely } = await openFor(t, await fresh(t))
    const asked = [
      sql`select dono from cargas where chave = ${'consulta'}`.execute(kysely),
      sql`select livre_em from turnos where fonte = ${'BR/ccc'}`.execute(kysely),
    ]
    const answers = (await Promise.allSettled(asked)).map(({ status }) => status)
    // An SQLite file has one node at a time, and keeps no table that nobody asks.
    const expected = dialect === 'postgres' ? 'fulfilled' : 'rejected'
    assert.deepEqual(answers, [expected, expected])
  })

  test('a database of a newer program is refused, and says so', async (t) => {
    const place = await fresh(t)
    const db = await openFor(t, place)
    await sql`insert into esquema (versao) values (99)`.execute(db.kysely)
    await assert.rejects(
      openDb(place),
      (error) => error instanceof StoreError && /versão 99/.test(error.message),
    )
  })

  test('the database itself refuses a negative balance and a second charge', async (t) => {
    const db = await openFor(t, await fresh(t))
    const { id } = await newConta(db)
    await assert.rejects(
      db.kysely.updateTable('saldos').set({ cota: -1 }).where('conta_id', '=', id).execute(),
      /check/i,
    )
    await assert.rejects(
      db.kysely
        .insertInto('lancamentos')
        .columns(LANCAMENTO)
        .expression(db.kysely.selectFrom('lancamentos').select(LANCAMENTO))
        .execute(),
      /unique/i,
    )
  })

  test('the database itself refuses an entry of a kind that it does not know', async (t) => {
    const db = await openFor(t, await fresh(t))
    await newConta(db)
    const copyAs = (tipo: string) =>
      sql`insert into lancamentos (tipo, ${sql.join(REST.map((name) => sql.ref(name)))})
        select ${tipo}, ${sql.join(REST.map((name) => sql.ref(name)))} from lancamentos`.execute(db.kysely)
    await assert.rejects(copyAs('estorno'), /check/i)
    await copyAs('debit')
  })

  if (dialect === 'sqlite') {
    test('a second server on the same data is refused, a command is not', async (t) => {
      const place = await fresh(t)
      const server = await openDb({ ...place, servidor: true })
      await assert.rejects(openDb({ ...place, servidor: true }), /Outro Consulta Fiscal/)
      await (await openDb(place)).close()
      await server.close()
      await (await openDb({ ...place, servidor: true })).close()
    })

    test('a file that is no database is refused, and says so', async (t) => {
      const place = await fresh(t)
      writeFileSync(
        place.arquivo,
        'isto não é um banco de dados, e é comprido o bastante para se ver'.repeat(99),
      )
      await assert.rejects(
        openDb(place),
        (error) => error instanceof StoreError && /não é um banco/.test(error.message),
      )
    })
  } else {
    test('a PostgreSQL that cannot be used is told without its password', async (t) => {
      const place = await fresh(t)
      const url = new URL(place.databaseUrl ?? '')
      url.password = 'segredo-errado'
      const refusal = (reason: RegExp) => (error: unknown) =>
        error instanceof StoreError && reason.test(error.message) && !/segredo-errado/.test(error.message)
      await assert.rejects(
        openDb({ ...place, databaseUrl: url.href }),
        refusal(/usuário ou senha não conferem/),
      )
      url.port = '1'
      await assert.rejects(openDb({ ...place, databaseUrl: url.href }), refusal(/nada responde/))
      const missing = new URL(place.databaseUrl ?? '')
      missing.pathname = '/nao_existe'
      await assert.rejects(openDb({ ...place, databaseUrl: missing.href }), refusal(/não existe/))
    })
  }
})
