import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { type TestContext, test } from 'node:test'
import { sql } from 'kysely'
import { type Db, openDb } from '../../src/platform/db/db.ts'
import { type Ledger, openLedger } from '../../src/platform/ledger/ledger.ts'
import { newConta } from '../kit/account.ts'
import { pausa } from '../kit/basics.ts'
import { assertBooks, countWaits, makeWait } from '../kit/databases.ts'
import { type Postgres, startPostgres } from '../kit/postgres.ts'

/** Whoever hangs fails, and not the whole run. */
const LONG = { timeout: 300_000 }
const now = (): Date => new Date()

type Palco = { postgres: Postgres; nodes: [Db, Db, Db]; ledgers: [Ledger, Ledger] }

/** A PostgreSQL of the test's own with two nodes, and a third connection to look on. */
async function openPalco(t: TestContext, options: Parameters<typeof startPostgres>[0]): Promise<Palco> {
  const postgres = await startPostgres(options)
  const place = { databaseUrl: await postgres.createDatabase(), arquivo: '' }
  const nodes: Palco['nodes'] = [await openDb(place), await openDb(place), await openDb(place)]
  const [one, other] = nodes
  const ledgers: Palco['ledgers'] = [
    openLedger(one, { no: 'no-1', now }),
    openLedger(other, { no: 'no-2', now }),
  ]
  t.after(async () => {
    await Promise.all(ledgers.map((ledger) => ledger.close()))
    await Promise.all(nodes.map((node) => node.close()))
    await postgres.stop()
  })
  return { postgres, nodes, ledgers }
}

const callOf = (id: string, request_id: string = randomUUID()) => ({
  conta: { id, plano: 'enterprise' as const },
  request_id,
  endpoint: '/api/teste',
  creditos: 1,
})

/** The same, without a disk that is waited for, where the first node has waited for the other's group. */
async function openWaited(t: TestContext, settings: string[] = []) {
  const { postgres, nodes, ledgers } = await openPalco(t, { durable: false, settings })
  const [db, , third] = nodes
  const [one, other] = ledgers
  const { id } = await newConta(db, 'enterprise', now())
  const { both } = await makeWait(
    third,
    id,
    () => other.charge(callOf(id)),
    () => one.charge(callOf(id)),
  )
  await both
  return { postgres, db, third, one, other, id }
}

for (const wal_level of ['minimal', 'replica', 'logical'])
  test(`with wal_level = ${wal_level} a group waits for the disk after its commit`, LONG, async (t) => {
    const settings = [`wal_level=${wal_level}`, ...(wal_level === 'minimal' ? ['max_wal_senders=0'] : [])]
    const { db, third, one, id } = await openWaited(t, settings)
    const flushed = async () => {
      const { rows } = await sql<{ ja: boolean }>`
        select pg_current_wal_flush_lsn() >= pg_current_wal_insert_lsn() as ja`.execute(third.kysely)
      return rows[0]?.ja
    }
    for (let n = 0; n < 20; n++) {
      assert.equal((await one.charge(callOf(id))).charged, true)
      assert.equal(await flushed(), true)
    }
    assert.equal(one.ways.early, 20)
    await assertBooks(db, id)
  })

test(
  'no charge is told before it is on the standby that its commit did not wait for, neither to who made it nor to who repeats it',
  LONG,
  async (t) => {
    const { postgres, db, third, one, other, id } = await openWaited(t)
    const setStandby = async (name: string) => {
      await postgres.admin(`alter system set synchronous_standby_names = '${name}'`)
      await postgres.admin('select pg_reload_conf()')
      const shown = async () => (await sql`show synchronous_standby_names`.execute(third.kysely)).rows[0]
      while (Object(await shown()).synchronous_standby_names !== name) await pausa()
      // A session takes a new setting before its next statement, and the server a moment later.
      await third.kysely.executeQuery(sql`select pg_sleep(1)`.compile(third.kysely))
    }
    await setStandby('ninguem')
    const told: string[] = []
    const charge = (ledger: Ledger, request_id: string) =>
      ledger.charge(callOf(id, request_id)).then(({ ok }) => {
        assert.equal(ok, true)
        told.push(request_id)
      })
    const seen = async () =>
      (
        await third.kysely
          .selectFrom('lancamentos')
          .select('request_id')
          .where('tipo', '=', 'charge')
          .where('request_id', 'in', ['a', 'b'])
          .execute()
      ).map(({ request_id }) => request_id)
    const first = charge(one, 'a')
    while ((await countWaits(third.kysely, 'SyncRep')) < 1) await pausa()
    assert.deepEqual(await seen(), ['a'], 'it is committed')
    await third.kysely.transaction().execute(async (trx) => {
      // A lock is in the log too: its commit would wait.
      await sql`set local synchronous_commit = off`.execute(trx)
      await sql`select 1 from saldos for update nowait`.execute(trx)
    })
    assert.equal(one.ways.early, 0, 'and has not ended')

    const again = charge(other, 'a')
    while ((await countWaits(third.kysely, 'SyncRep')) < 2) await pausa()
    assert.deepEqual(told, [])
    // The node whose wait is cut off does not take the charge for made: it asks again, and waits again.
    await sql`select pg_terminate_backend(pid) from pg_stat_activity
      where query like '%pg_logical_emit_message%' and wait_event = 'SyncRep'`.execute(third.kysely)
    // The repetition on the other node, which waits for the disk before its commit, has the balance.
    while ((await countWaits(third.kysely, 'Lock')) < 1) await pausa()
    assert.deepEqual(told, [])
    await setStandby('')
    await Promise.all([first, again])
    assert.deepEqual(told, ['a', 'a'])
    await charge(one, 'b')
    assert.deepEqual((await seen()).sort(), ['a', 'b'])
    assert.equal((await assertBooks(db, id)).cota, 100_000 - 4)
  },
)

const CRASHES = 6
const WORKERS = 12

test(
  'a PostgreSQL that is killed under charges on two nodes has, once it is back, each charge that was told, once',
  LONG,
  async (t) => {
    const { nodes, ledgers } = await openPalco(t, { durable: true })
    const [db, , third] = nodes
    const contas = [await newConta(db, 'enterprise', now()), await newConta(db, 'enterprise', now())]
    const told = new Set<string>()
    const seen = new Set<string>()
    let working = true
    const failed: Record<string, number> = {}
    const charge = async (ledger: Ledger, conta: string, request_id: string) => {
      try {
        const { ok } = await ledger.charge(callOf(conta, request_id))
        assert.equal(ok, true)
        told.add(request_id)
      } catch (error) {
        const { name } = Object(error)
        failed[name] = (failed[name] ?? 0) + 1
        await pausa()
      }
    }
    const work = async (at: number) => {
      for (let n = at; working; n++) {
        const conta = contas[n % contas.length]?.id ?? ''
        const request_id = randomUUID()
        // Every tenth is made on both nodes at once: one of them finds it recorded.
        const by = n % 10 === 0 ? ledgers : [ledgers[at % 2] ?? ledgers[0]]
        await Promise.all(by.map((ledger) => charge(ledger, conta, request_id)))
      }
    }
    const watch = async () => {
      while (working) {
        const newest = third.kysely.selectFrom('saldos').select('ultimo_request').execute()
        for (const { ultimo_request } of await newest.catch(() => [])) seen.add(ultimo_request)
        await pausa()
      }
    }
    const workers = [...Array.from({ length: WORKERS }, (_, at) => work(at)), watch()]
    for (let crash = 0; crash < CRASHES; crash++) {
      const before = told.size
      while (told.size < before + 400) await pausa()
      const { rows } = await sql<{ pid: number }>`
        select pid from pg_stat_activity where backend_type = 'walwriter'`.execute(third.kysely)
      // PostgreSQL then ends all its processes at once, loses its memory, and reads its log from the disk.
      for (const { pid } of rows) process.kill(pid, 'SIGKILL')
    }
    const before = told.size
    while (told.size < before + 400) await pausa()
    working = false
    await Promise.all(workers)
    const entries = await db.kysely.selectFrom('lancamentos').select(['request_id', 'tipo']).execute()
    const known = new Set(entries.map(({ request_id }) => request_id))
    const lost = [...seen].filter((request_id) => !known.has(request_id))
    t.diagnostic(
      `${told.size} charges were told, ${JSON.stringify(failed)} failed, ${lost.length} were seen and lost`,
    )
    for (const request_id of told) assert.ok(known.has(request_id), request_id)
    for (const { id } of contas) {
      await assertBooks(db, id)
      const chain = await ledgers[0].extrato(id, { limite: 1_000_000 })
      const own = await db.kysely
        .selectFrom('lancamentos')
        .select('request_id')
        .where('conta_id', '=', id)
        .execute()
      assert.equal(chain.length, own.length, 'no entry stands beside its chain')
    }
    for (const { ways } of ledgers) {
      t.diagnostic(JSON.stringify(ways))
      assert.ok(ways.early > 100, `${ways.early} groups went early`)
    }
  },
)
