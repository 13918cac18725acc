import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { sql } from 'kysely'
import { parseConfig } from '../../src/platform/config/config.ts'
import { type Db, openDb } from '../../src/platform/db/db.ts'
import { StoreError } from '../../src/platform/db/outage.ts'
import { readAddress } from '../../src/platform/db/postgres.ts'
import { newPostgres, openFor } from '../kit/databases.ts'
import { start } from '../kit/house.ts'
import { openDistribuidor } from '../kit/transport.ts'

const SERVER_SECRET = 'segredo-de-teste-com-mais-de-32-letras'

/** What keeps a server from starting on this database; empty where it starts. */
async function refusalOf(t: TestContext, databaseUrl: string): Promise<string> {
  try {
    const db = await openDb({ databaseUrl, arquivo: '', servidor: true })
    t.after(() => db.close())
    return ''
  } catch (error) {
    assert.ok(error instanceof StoreError, String(error))
    return error.message
  }
}

for (const sessoes of [2, 20])
  test(`a pooler in transaction mode over ${sessoes} connections is refused at the start`, async (t) => {
    const url = await openDistribuidor(t, await newPostgres(), { modo: 'transaction', sessoes })
    assert.match(await refusalOf(t, url), /transaction.*pool_mode = session/)
  })

test('a pooler in session mode is served', async (t) => {
  const url = await openDistribuidor(t, await newPostgres(), { modo: 'session', sessoes: 12 })
  assert.equal(await refusalOf(t, url), '')
})

test('a node opens as many connections as it was told, and its start says how many nodes there is room for', async (t) => {
  const databaseUrl = await newPostgres()
  const admin = await openFor(t, { databaseUrl, arquivo: '' })
  const house = await start({ DATABASE_URL: databaseUrl, SERVER_SECRET, DATABASE_CONNECTIONS: '4' })
  t.after(() => house.close())
  assert.match(house.welcome, /até 4 conexões deste nó.*o servidor dá 297, que bastam para 74 nós/)
  const { kysely } = house.rooms.platform.db
  await Promise.all(Array.from({ length: 9 }, () => sql`select pg_sleep(0.05)`.execute(kysely)))
  await house.rooms.platform.ledger.ready()
  // The administrator's own pool has made one connection so far.
  const { rows } = await sql<{ n: number }>`select count(*)::int as n from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid()`.execute(admin.kysely)
  assert.equal(rows[0]?.n, 4)
  assert.throws(() => parseConfig({ DATABASE_CONNECTIONS: '2' }), /de 3 a 500/)
})

test('of several hosts the first that lets in is taken, at the start and afterwards', async (t) => {
  const databaseUrl = await newPostgres()
  const { host } = new URL(databaseUrl)
  const several = `${databaseUrl.replace(host, `127.0.0.1:1,${host}`)}?target_session_attrs=read-write`
  const db = await openFor(t, { databaseUrl: several, arquivo: '' })
  const ask = () => sql`select 1`.execute(db.kysely)
  await Promise.all(Array.from({ length: 5 }, ask))
  assert.ok(db.dialect === 'postgres' && db.lugares.onde.startsWith(`127.0.0.1:1,${host}/`))
  const admin = await openFor(t, { databaseUrl, arquivo: '' })
  await sql`select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid()`.execute(admin.kysely)
  // Those that were broken fail once.
  await Promise.allSettled(Array.from({ length: 5 }, ask))
  await Promise.all(Array.from({ length: 5 }, ask))
  const none = databaseUrl.replace(host, '127.0.0.1:1,127.0.0.1:2')
  const refused = await refusalOf(t, none)
  assert.match(refused, /127\.0\.0\.1:1,127\.0\.0\.1:2\/banco_\d+ .*nada responde/)
  assert.doesNotMatch(refused, /teste/)
})

test('an address of several hosts is read as libpq does, and a standby is not asked for', () => {
  const { urls, primary, shown } = readAddress('postgres://u:p%40@a:5432,b/db?sslmode=disable')
  assert.deepEqual(urls, [
    'postgres://u:p%40@a:5432/db?sslmode=disable',
    'postgres://u:p%40@b/db?sslmode=disable',
  ])
  assert.deepEqual([primary, shown], [true, 'a:5432,b/db'])
  assert.equal(readAddress('postgres://a/db').primary, false)
  assert.equal(readAddress('postgres://a/db?target_session_attrs=read-write').primary, true)
  assert.throws(() => readAddress('postgres://a,b/db?target_session_attrs=standby'), StoreError)
})

test('a server that takes no writes is told as such at the start', async (t) => {
  const databaseUrl = await newPostgres()
  const admin = await openFor(t, { databaseUrl, arquivo: '' })
  const name = new URL(databaseUrl).pathname.slice(1)
  await sql.raw(`alter database ${name} set default_transaction_read_only = on`).execute(admin.kysely)
  assert.match(await refusalOf(t, databaseUrl), /não aceita gravações: é uma réplica/)
})

/** A role that may connect, and no more. It goes with its server. */
async function newRole(
  t: TestContext,
  databaseUrl: string,
  nome: string,
): Promise<{ url: string; admin: Db }> {
  const admin = await openFor(t, { databaseUrl, arquivo: '' })
  await sql.raw(`create role ${nome} login password 'teste'`).execute(admin.kysely)
  const url = new URL(databaseUrl)
  url.username = nome
  return { url: url.href, admin }
}

test('a role that does not own the tables is told which statements mend it, and then starts', async (t) => {
  const { url, admin } = await newRole(t, await newPostgres(), 'sem_tabelas')
  await sql`grant all on all tables in schema public to sem_tabelas`.execute(admin.kysely)
  const refused = await refusalOf(t, url)
  assert.match(refused, /usuário sem_tabelas .*não pode criar tabelas no esquema public e não é o dono/)
  assert.match(
    refused,
    /GRANT USAGE, CREATE ON SCHEMA public TO sem_tabelas; e ALTER TABLE tabela OWNER TO sem_tabelas;/,
  )
  assert.match(refused, /\(são de postgres\)/)
  await sql`grant usage, create on schema public to sem_tabelas`.execute(admin.kysely)
  assert.doesNotMatch(await refusalOf(t, url), /GRANT/)
  const { rows } = await sql<{ alter: string }>`
    select format('alter table %s owner to sem_tabelas', oid::regclass) as alter from pg_class
    where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')`.execute(admin.kysely)
  for (const { alter } of rows) await sql.raw(alter).execute(admin.kysely)
  assert.equal(await refusalOf(t, url), '')
})

test('a role that may create nothing in an empty database is told the grant, and no stack', async (t) => {
  const { url } = await newRole(t, await newPostgres(), 'sem_nada')
  const empty = new URL(url)
  empty.pathname = new URL(await newPostgres({ schema: false })).pathname
  const refused = await refusalOf(t, empty.href)
  assert.match(refused, /não pode criar tabelas.*GRANT USAGE, CREATE ON SCHEMA public TO sem_nada;/)
  assert.doesNotMatch(refused, /ALTER TABLE/)
})
