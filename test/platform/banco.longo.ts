import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { type TestContext, test } from 'node:test'
import { sql } from 'kysely'
import { CommitUnknown, isConnectionLost } from '../../src/platform/db/outage.ts'
import { openLedger } from '../../src/platform/ledger/ledger.ts'
import { newConta } from '../kit/account.ts'
import { pausa } from '../kit/basics.ts'
import { assertBooks, newPostgres, openFor } from '../kit/databases.ts'
import { BANCO_DO_BRASIL, type House, start } from '../kit/house.ts'
import { type Postgres, startPostgres } from '../kit/postgres.ts'
import { openDistribuidor, openPorta } from '../kit/transport.ts'

const PATH = `/api/consultar-cnpj?cnpj=${BANCO_DO_BRASIL}`
const SERVER_SECRET = 'segredo-de-teste-com-mais-de-32-letras'
const CLIENTS = "select count(*)::int as n from pg_stat_activity where backend_type = 'client backend'"
/** Whoever hangs fails, and not the whole run. */
const LONG = { timeout: 120_000 }

/** A PostgreSQL of the test's own, which it may reconfigure. */
async function ownPostgres(t: TestContext): Promise<Postgres> {
  const postgres = await startPostgres({ durable: false })
  t.after(() => postgres.stop())
  return postgres
}

const isReady = async (house: House): Promise<boolean> =>
  (await house.ask('/ready', { key: null })).status === 200

/** Asks until the service is ready again. Each look waits for the database by itself. */
async function untilReady(house: House): Promise<void> {
  while (!(await isReady(house))) await pausa()
}

test(
  'a node frozen in the middle of a charge holds up the others for seconds only, and loses or doubles nothing',
  LONG,
  async (t) => {
    const place = { databaseUrl: await newPostgres(), arquivo: '' }
    const db = await openFor(t, place)
    const conta = await newConta(db, 'enterprise')
    const script = join(import.meta.dirname, '../kit/children.ts')
    const child = spawn(process.execPath, [script, 'charge', '', conta.id, place.databaseUrl], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    t.after(() => child.kill('SIGKILL'))
    const told: string[] = []
    const lines = createInterface(child.stdout).on('line', (line) => told.push(line))
    while (told.length < 50) await once(lines, 'line')
    const holdsLocks = async () => {
      // What it had sent before it was stopped is done by then.
      await sql`select pg_sleep(0.2)`.execute(db.kysely)
      const { rows } = await sql`select 1 from pg_stat_activity where state = 'idle in transaction'
      and datname = current_database() and pid <> pg_backend_pid()`.execute(db.kysely)
      return rows.length > 0
    }
    // Where it was stopped outside of a transaction, it is let go and stopped again.
    for (child.kill('SIGSTOP'); !(await holdsLocks()); child.kill('SIGSTOP')) {
      child.kill('SIGCONT')
      await once(lines, 'line')
    }
    const ledger = openLedger(db, { no: 'vivo', now: () => new Date() })
    const began = performance.now()
    const ids = Array.from({ length: 200 }, (_, i) => `vivo-${i}`)
    const charge = (request_id: string) => ledger.charge({ conta, request_id, endpoint: '', creditos: 1 })
    const charged = await Promise.all(ids.map(charge))
    t.diagnostic(`charged after ${Math.round(performance.now() - began)} ms`)
    assert.ok(charged.every(({ ok }) => ok))
    const before = told.length
    child.kill('SIGCONT')
    while (told.length < before + 200) await once(lines, 'line')
    child.kill('SIGKILL')
    await once(child, 'close')
    await sql`update nos set batimento = 0`.execute(db.kysely)
    await ledger.releaseDead()
    await assertBooks(db, conta.id)
    const entries = await db.kysely
      .selectFrom('lancamentos')
      .select('request_id')
      .where('tipo', '=', 'charge')
      .execute()
    const known = new Set(entries.map(({ request_id }) => request_id))
    for (const id of [...ids, ...told]) assert.ok(known.has(id), id)
  },
)

test(
  'in a black hole every call is answered 503, and after it the service goes on by itself',
  LONG,
  async (t) => {
    const place = { databaseUrl: await newPostgres(), arquivo: '' }
    const porta = await openPorta(t, place.databaseUrl)
    const house = await start({ DATABASE_URL: porta.databaseUrl, SERVER_SECRET })
    t.after(() => house.close())
    const { key, conta } = await house.open('enterprise')
    const ask = async () => {
      const { status, body } = await house.ask(PATH, { key })
      return [status, body.error_code]
    }
    const asked = () => Promise.all(Array.from({ length: 20 }, ask))
    for (const [status] of await asked()) assert.equal(status, 200)
    porta.swallow()
    let began = performance.now()
    const inHole = await asked()
    for (const answer of inHole) assert.deepEqual(answer, [503, 'BANCO_INDISPONIVEL'])
    assert.equal(await isReady(house), false)
    assert.deepEqual(await ask(), [503, 'BANCO_INDISPONIVEL'])
    t.diagnostic(`answered in the hole after ${Math.round(performance.now() - began)} ms`)
    porta.release()
    began = performance.now()
    while ((await ask())[0] !== 200) await pausa()
    t.diagnostic(`first answer after the hole: ${Math.round(performance.now() - began)} ms`)
    await untilReady(house)
    for (const [status] of await asked()) assert.equal(status, 200)
    await assertBooks(await openFor(t, place), conta.id)
  },
)

test(
  'a call of which nobody knows in time whether it was charged is refused, and what was charged comes back',
  LONG,
  async (t) => {
    const place = { databaseUrl: await newPostgres(), arquivo: '' }
    const porta = await openPorta(t, place.databaseUrl)
    const [direct, db] = [
      await openFor(t, place),
      await openFor(t, { ...place, databaseUrl: porta.databaseUrl }),
    ]
    const conta = await newConta(direct, 'lite', new Date())
    const ledger = openLedger(db, { no: 'vivo', now: () => new Date() })
    const charge = (request_id: string) => ledger.charge({ conta, request_id, endpoint: '', creditos: 30 })
    const chargeInHole = async (request_id: string, { arrives }: { arrives: boolean }) => {
      porta.swallow()
      const told = charge(request_id)
      while (!porta.hasSwallowed(request_id)) await pausa()
      porta.cut()
      if (arrives) porta.deliver()
      await assert.rejects(told, CommitUnknown)
      porta.release()
    }
    // Connections that were in the hole stay silent, and are given up one by one.
    const sweep = (): Promise<number> =>
      ledger.releaseDead().catch((error) => {
        assert.ok(isConnectionLost(error), error)
        return sweep()
      })
    await charge('a')
    await chargeInHole('arrived', { arrives: true })
    assert.deepEqual(await assertBooks(direct, conta.id), { cota: 40, extra: 0 })
    assert.equal(await sweep(), 1)
    assert.equal(await sweep(), 0)
    assert.deepEqual(await assertBooks(direct, conta.id), { cota: 40, extra: 30 })
    await chargeInHole('late', { arrives: false })
    assert.equal(await sweep(), 0)
    porta.deliver()
    await chargeInHole('repeated', { arrives: true })
    assert.equal((await charge('repeated')).charged, false)
    assert.equal(await sweep(), 0, 'its answer was delivered')
    await ledger.close()
    assert.deepEqual(await assertBooks(direct, conta.id), { cota: 10, extra: 30 })
    const entries = await ledger.extrato(conta.id)
    const estorno = 'estorno: a resposta não chegou a ser entregue'
    assert.deepEqual(
      entries.map(({ tipo, request_id, endpoint }) => [tipo, request_id, endpoint]).slice(0, 3),
      [
        ['charge', 'repeated', ''],
        ['grant', 'arrived', estorno],
        ['charge', 'arrived', ''],
      ],
    )
  },
)

test(
  'without its synchronous standby the service is not ready, keeps few connections, and comes back',
  LONG,
  async (t) => {
    const postgres = await ownPostgres(t)
    const place = { databaseUrl: await postgres.createDatabase(), arquivo: '' }
    const house = await start({ DATABASE_URL: place.databaseUrl, SERVER_SECRET })
    t.after(() => house.close())
    const { key, conta } = await house.open('enterprise')
    assert.equal((await house.ask(PATH, { key })).status, 200)
    const db = await openFor(t, place)
    await postgres.admin("alter system set synchronous_standby_names = 'ninguem'")
    await postgres.admin('select pg_reload_conf()')
    while (await isReady(house)) await pausa()
    // Whose commit was begun is refused too, once it has waited, and gets back what was charged.
    const first = Promise.all(Array.from({ length: 3 }, () => house.ask(PATH, { key })))
    const isBegun = async (): Promise<boolean> => {
      const { rows } = await sql`select 1 from pg_locks join pg_stat_activity using (pid)
        where relation = 'lancamentos'::regclass and wait_event = 'SyncRep'`.execute(db.kysely)
      return rows.length > 0
    }
    while (!(await isBegun())) await pausa()
    let most = 0
    for (let n = 0; n < 3; n++) {
      const { status } = await house.ask(PATH, { key })
      assert.equal(status, 503)
      assert.equal(await isReady(house), false)
      const { rows } = Object(await postgres.admin(CLIENTS))
      most = Math.max(most, rows[0].n)
    }
    t.diagnostic(`${most} connections at the most`)
    assert.ok(most < 60, `${most} connections`)
    const refused = await first
    for (const { status } of refused) assert.equal(status, 503)
    assert.ok(refused.some(({ body }) => /o crédito volta sozinho/.test(String(body.detail))))
    await postgres.admin('alter system reset synchronous_standby_names')
    await postgres.admin('select pg_reload_conf()')
    await untilReady(house)
    assert.equal((await house.ask(PATH, { key })).status, 200)
    const spent = async (): Promise<number> => {
      const { cota, extra } = await assertBooks(db, conta.id)
      return 100_000 - cota - extra
    }
    while ((await spent()) !== 2) await pausa()
  },
)

test('after a promotion the service goes on with the new server, without a restart', LONG, async (t) => {
  const postgres = await startPostgres({ durable: false })
  const databaseUrl = await postgres.createDatabase()
  const replica = await postgres.replica()
  t.after(() => replica.stop())
  const { host } = new URL(databaseUrl)
  const novo = databaseUrl.replace(host, `127.0.0.1:${replica.port}`)
  // The standby stands first: it is asked, and passed over.
  const both = `${databaseUrl.replace(host, `127.0.0.1:${replica.port},${host}`)}?target_session_attrs=read-write`
  const house = await start({ DATABASE_URL: both, SERVER_SECRET })
  t.after(() => house.close())
  const { key, conta } = await house.open('enterprise')
  const ask = async () => (await house.ask(PATH, { key })).status
  for (let n = 0; n < 5; n++) assert.equal(await ask(), 200)
  const last = async () => Object(await postgres.admin('select pg_current_wal_lsn() as lsn')).rows[0].lsn
  const { rows } = Object(
    await postgres.admin(`select 1 from pg_stat_replication where replay_lsn >= '${await last()}'`),
  )
  t.diagnostic(rows.length === 1 ? 'the standby had everything' : 'the standby was a moment behind')
  // A shutdown sends the standby all that was written.
  await postgres.stop()
  assert.equal(await ask(), 503)
  const began = performance.now()
  await replica.promote()
  await untilReady(house)
  t.diagnostic(`ready ${Math.round(performance.now() - began)} ms after the promotion began`)
  assert.equal(await ask(), 200)
  const db = await openFor(t, { databaseUrl: novo, arquivo: '' })
  const { cota } = await assertBooks(db, conta.id)
  assert.equal(cota, 100_000 - 6)
})

test(
  'a pooler in transaction mode over one connection is refused too, where nothing can be answered',
  LONG,
  async (t) => {
    const url = await openDistribuidor(t, await newPostgres(), { modo: 'transaction', sessoes: 1 })
    await assert.rejects(start({ DATABASE_URL: url, SERVER_SECRET }), /pool_mode = session/)
  },
)
