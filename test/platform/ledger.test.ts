import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { changePlano } from '../../src/contas/store-contas.ts'
import type { Db } from '../../src/platform/db/db.ts'
import { newRequestId } from '../../src/platform/jobs/kind.ts'
import { type Ledger, openLedger, takeNo } from '../../src/platform/ledger/ledger.ts'
import { newConta } from '../kit/account.ts'
import { NOW } from '../kit/basics.ts'
import { assertBooks, forEachDatabase, openFor, silence } from '../kit/databases.ts'

const LAST_SECOND = new Date('2026-12-01T02:59:59.999Z')
const MIDNIGHT = new Date('2026-12-01T03:00:00Z')

/** What a statement says of the names that a life of the server may draw first. */
const NAMES = sql`
  with recursive n (i) as (select 0 union all select i + 1 from n where i < 36 * 36 * 36 - 1)
  select substr(s, 1 + i / 1296, 1) || substr(s, 1 + i / 36 % 36, 1) || substr(s, 1 + i % 36, 1) as no
  from n, (select '0123456789abcdefghijklmnopqrstuvwxyz' as s) as signs`

/** The bytes that hold the entries, indexes in; on SQLite those of all tables. */
async function bytesOf({ dialect, kysely }: Db): Promise<number> {
  const size =
    dialect === 'postgres'
      ? sql`select pg_relation_size('lancamentos') + pg_indexes_size('lancamentos') as bytes`
      : sql`select page_count * page_size as bytes from pragma_page_count(), pragma_page_size()`
  const { rows } = await size.$castTo<{ bytes: number }>().execute(kysely)
  return Number(rows[0]?.bytes)
}

const CHARGES = 4_000

forEachDatabase((dialect, fresh) => {
  type Setup = { now?: Date; extra?: number }
  async function setup(t: Parameters<typeof fresh>[0], { now = NOW, extra = 0 }: Setup = {}) {
    const place = await fresh(t)
    const db = await openFor(t, place)
    const conta = await newConta(db, 'lite', now)
    const clock = { now }
    const open = (no: string): Ledger => openLedger(db, { no, now: () => clock.now })
    const ledger = open('no-1')
    if (extra > 0)
      await ledger.grant({ conta_id: conta.id, creditos: extra, request_id: 'extra', motivo: 'teste' })
    const call = (request_id: string, creditos: number) => ({
      conta,
      request_id,
      endpoint: '/api/teste',
      creditos,
    })
    return { place, db, conta, clock, open, ledger, call }
  }

  test('the quota is spent first, then the extra credits', async (t) => {
    const { ledger, call } = await setup(t, { extra: 10 })
    assert.deepEqual((await ledger.charge(call('a', 95))).saldo, { cota: 5, extra: 10, periodo: '2026-11' })
    assert.deepEqual((await ledger.charge(call('b', 7))).saldo, { cota: 0, extra: 8, periodo: '2026-11' })
    const refused = await ledger.charge(call('c', 9))
    assert.deepEqual(refused, { ok: false, charged: false, saldo: { cota: 0, extra: 8, periodo: '2026-11' } })
  })

  test('a settlement charges what was used and returns the rest to where it came from', async (t) => {
    const { db, conta, ledger, call } = await setup(t, { extra: 10 })
    assert.deepEqual((await ledger.hold(call('a', 105))).saldo, { cota: 0, extra: 5, periodo: '2026-11' })
    assert.deepEqual((await ledger.settle(call('a', 98))).saldo, { cota: 2, extra: 10, periodo: '2026-11' })
    await assertBooks(db, conta.id)
  })

  test('a failure is settled at nothing, leaves the balance as it was, and leaves no entry', async (t) => {
    const { db, conta, ledger, open, call } = await setup(t, { extra: 10 })
    const before = await ledger.extrato(conta.id)
    await ledger.hold(call('a', 105))
    assert.deepEqual((await ledger.settle(call('a', 0))).saldo, { cota: 100, extra: 10, periodo: '2026-11' })
    assert.equal((await ledger.settle(call('a', 0))).ok, true)
    assert.equal((await ledger.charge(call('b', 0))).ok, true)
    await ledger.hold(call('c', 5))
    await open('no-2').releaseDead()
    assert.deepEqual(await ledger.extrato(conta.id), before)
    await assertBooks(db, conta.id)
  })

  test('repeating a charge, a hold, a settlement or a grant changes nothing', async (t) => {
    const { db, conta, ledger, call } = await setup(t)
    for (const _ of [1, 2]) assert.equal((await ledger.charge(call('a', 10))).saldo.cota, 90)
    for (const _ of [1, 2]) assert.equal((await ledger.hold(call('b', 40))).saldo.cota, 50)
    await assert.rejects(ledger.settle(call('b', 41)), RangeError)
    for (const charged of [true, false])
      assert.deepEqual(await ledger.settle(call('b', 15)), {
        ok: true,
        charged,
        saldo: { cota: 75, extra: 0, periodo: '2026-11' },
      })
    assert.equal((await ledger.hold(call('b', 40))).saldo.cota, 75, 'nor does a hold of what was charged')
    const grant = { conta_id: conta.id, creditos: 7, request_id: 'pix-1', motivo: 'compra' }
    for (const _ of [1, 2]) assert.equal((await ledger.grant(grant)).extra, 7)
    await assertBooks(db, conta.id)
  })

  test('two hundred charges at once on a hundred credits: a hundred pass, on two nodes', async (t) => {
    const { db, place, conta, ledger, open, call, clock } = await setup(t)
    const other =
      dialect === 'sqlite'
        ? open('no-2')
        : openLedger(await openFor(t, place), { no: 'no-2', now: () => clock.now })
    const outcomes = await Promise.all(
      Array.from({ length: 200 }, (_, i) => (i % 2 ? ledger : other).charge(call(`c${i}`, 1))),
    )
    assert.equal(outcomes.filter(({ ok }) => ok).length, 100)
    assert.deepEqual(await assertBooks(db, conta.id), { cota: 0, extra: 0 })
  })

  test('the same request on two nodes at once is charged once', async (t) => {
    const { db, place, conta, ledger, open, call, clock } = await setup(t)
    const other =
      dialect === 'sqlite'
        ? open('no-2')
        : openLedger(await openFor(t, place), { no: 'no-2', now: () => clock.now })
    const outcomes = await Promise.all([
      ledger.charge(call('a', 3)),
      other.charge(call('a', 3)),
      ledger.charge(call('a', 3)),
    ])
    assert.deepEqual(
      outcomes.map(({ ok }) => ok),
      [true, true, true],
    )
    assert.deepEqual(await assertBooks(db, conta.id), { cota: 97, extra: 0 })
  })

  test('the quota renews at midnight in Brasília and extra credits stay', async (t) => {
    const { db, conta, clock, ledger, call } = await setup(t, { extra: 5 })
    clock.now = LAST_SECOND
    assert.equal((await ledger.charge(call('a', 99))).saldo.cota, 1)
    clock.now = MIDNIGHT
    assert.deepEqual(await ledger.saldo(conta), { cota: 100, extra: 5, periodo: '2026-12' })
    await assertBooks(db, conta.id)
    assert.equal((await ledger.extrato(conta.id, { limite: 1 }))[0]?.tipo, 'renewal')
  })

  test('a clock that goes back never renews again nor takes a renewal back', async (t) => {
    const { db, conta, clock, ledger, call } = await setup(t)
    clock.now = MIDNIGHT
    assert.equal((await ledger.charge(call('a', 60))).saldo.cota, 40)
    clock.now = LAST_SECOND
    assert.deepEqual((await ledger.charge(call('b', 10))).saldo, { cota: 30, extra: 0, periodo: '2026-12' })
    clock.now = MIDNIGHT
    assert.equal((await ledger.saldo(conta)).cota, 30)
    await assertBooks(db, conta.id)
  })

  test('what a hold took of the quota of a past month does not swell the new one', async (t) => {
    const { db, conta, clock, ledger, call } = await setup(t, { extra: 10 })
    await ledger.hold(call('a', 105))
    clock.now = MIDNIGHT
    assert.deepEqual((await ledger.settle(call('a', 2))).saldo, { cota: 100, extra: 10, periodo: '2026-12' })
    await assertBooks(db, conta.id)
    const [lost, charge] = await ledger.extrato(conta.id, { limite: 2 })
    assert.deepEqual([charge?.tipo, charge?.creditos, charge?.cota], ['charge', 2, -2])
    assert.deepEqual([lost?.tipo, lost?.creditos, lost?.cota, lost?.extra], ['release', 98, -98, 0])
  })

  test('an upgrade adds the difference at once and once, a downgrade waits for the next month', async (t) => {
    const { db, conta, clock, ledger, call } = await setup(t)
    await ledger.charge(call('a', 30))
    assert.equal((await changePlano(db, conta.id, 'starter', clock.now)).cota, 970)
    assert.equal((await changePlano(db, conta.id, 'lite', clock.now)).cota, 970)
    assert.equal((await changePlano(db, conta.id, 'starter', clock.now)).cota, 970)
    await changePlano(db, conta.id, 'lite', clock.now)
    clock.now = MIDNIGHT
    assert.equal((await ledger.saldo(conta)).cota, 100)
    await assertBooks(db, conta.id)
  })

  test('the holds of a dead process are released, those of a living one are not', async (t) => {
    const { db, conta, ledger, open, call } = await setup(t)
    const dead = open('no-morto')
    await dead.heartbeat()
    await dead.hold(call('a', 60))
    await silence(db)
    await ledger.heartbeat()
    await ledger.hold(call('b', 5))
    assert.equal(await ledger.releaseDead(), 1)
    assert.equal(await ledger.releaseDead(), 0)
    assert.deepEqual(await assertBooks(db, conta.id), { cota: 95, extra: 0 })
    if (dialect === 'postgres') assert.equal(await open('no-3').releaseDead(), 0)
  })

  test('a life of the server has a short name of its own, also of two that begin at once', async (t) => {
    const { db, place, call } = await setup(t)
    const other = dialect === 'sqlite' ? db : await openFor(t, place)
    const now = () => NOW
    const both = await Promise.all([db, other].map((on) => takeNo(on, now, (tried) => `n0${tried}`)))
    assert.deepEqual(both.toSorted(), ['n00', 'n01'])
    const no = await takeNo(db, now)
    assert.match(no, /^[0-9a-z]{3}$/)
    const ledger = openLedger(db, { no, now })
    await ledger.heartbeat()
    await ledger.charge(call('a', 1))
    await ledger.hold(call('b', 1))
    for (const table of ['lancamentos', 'retencoes'] as const) {
      const rows = await db.kysely
        .selectFrom(table)
        .select('no')
        .where('request_id', 'in', ['a', 'b'])
        .execute()
      assert.deepEqual(
        rows.map((row) => row.no),
        [no],
      )
    }
  })

  test('no life gets the name of one that was there within a day, or whose holds are still open', async (t) => {
    const { db, conta, call, open } = await setup(t)
    const now = () => NOW
    const dead = open(await takeNo(db, now, () => 'dia'))
    await dead.hold(call('a', 60))
    const draws = ['dia', 'dia', 'out']
    assert.equal(await takeNo(db, now, (tried) => draws[tried] ?? ''), 'out')
    await db.kysely.deleteFrom('nos').execute()
    const no = await takeNo(db, now, (tried) => draws[tried] ?? '')
    assert.equal(no, 'out', 'the dead life is forgotten, and its hold is open')
    assert.equal(await open(no).releaseDead(), 1)
    assert.deepEqual(await assertBooks(db, conta.id), { cota: 100, extra: 0 })
    await sql`insert into nos (id, batimento) select no, ${NOW.getTime()} from (${NAMES}) as todos
      where no <> 'out'`.execute(db.kysely)
    assert.match(await takeNo(db, now), /^[0-9a-z]{4}$/, 'where all short names are taken')
  })

  test('a charge takes at most 300 bytes, indexes in, also where calls end in another order', async (t) => {
    const { db, conta, clock, call } = await setup(t, { extra: CHARGES })
    await newConta(db, 'lite', NOW)
    const ledger = openLedger(db, { no: await takeNo(db, () => NOW), now: () => clock.now })
    const before = await bytesOf(db)
    const ids = Array.from({ length: CHARGES }, (_, i) => newRequestId(new Date(NOW.getTime() + i / 10)))
    // Each fifth call takes longer than twenty that came after it.
    const late = ids.map((id, i) => ({ id, ends: i + (i % 5 ? 0 : 20 + (i % 7)) }))
    late.sort((a, b) => a.ends - b.ends)
    for (let at = 0; at < CHARGES; at += 50)
      await Promise.all(
        late
          .slice(at, at + 50)
          .map(({ id }) => ledger.charge({ ...call(id, 1), endpoint: '/api/consultar-cnpj' })),
      )
    const each = ((await bytesOf(db)) - before) / CHARGES
    assert.ok(each <= 300, `a charge takes ${each} bytes`)
    const { cota, extra } = await assertBooks(db, conta.id)
    assert.equal(cota + extra, 100)
  })

  test('clocks of two nodes that are ten minutes apart release no live hold', async (t) => {
    // The embedded database has one node.
    if (dialect === 'sqlite') return
    const { db, conta, call } = await setup(t)
    const nodes = [-10, 0, 10].map((minutes) =>
      openLedger(db, { no: `no${minutes}`, now: () => new Date(NOW.getTime() + minutes * 60_000) }),
    )
    for (const [i, node] of nodes.entries()) {
      await node.heartbeat()
      await node.hold(call(`r${i}`, 10))
    }
    for (const node of nodes) assert.equal(await node.releaseDead(), 0)
    await silence(db)
    for (const node of nodes) await node.heartbeat()
    for (const node of nodes) assert.equal(await node.releaseDead(), 0)
    assert.deepEqual(await assertBooks(db, conta.id), { cota: 70, extra: 0 })
  })

  test('a process that wakes up after its hold was released charges afresh, or learns that it may not deliver', async (t) => {
    const { db, conta, ledger, open, call } = await setup(t)
    const paused = open('no-parado')
    await paused.heartbeat()
    await paused.hold(call('a', 60))
    await paused.hold(call('b', 30))
    await silence(db)
    assert.equal(await ledger.releaseDead(), 2)
    assert.deepEqual(await paused.settle(call('a', 50)), {
      ok: true,
      charged: true,
      saldo: { cota: 50, extra: 0, periodo: '2026-11' },
    })
    await ledger.charge(call('c', 40))
    assert.deepEqual(await paused.settle(call('b', 30)), {
      ok: false,
      charged: false,
      saldo: { cota: 10, extra: 0, periodo: '2026-11' },
    })
    await assertBooks(db, conta.id)
  })

  test('what was given back may still be charged later, once, if the balance suffices', async (t) => {
    const { db, conta, ledger, open, call } = await setup(t)
    await ledger.hold(call('a', 3))
    await ledger.settle(call('a', 0))
    await ledger.settle(call('a', 0))
    assert.deepEqual(await assertBooks(db, conta.id), { cota: 100, extra: 0 })
    const nodes = [ledger, open('no-2'), ledger]
    const settled = await Promise.all(nodes.map((node) => node.settle(call('a', 3))))
    assert.deepEqual(
      settled.map(({ ok, saldo }) => [ok, saldo.cota]),
      [
        [true, 97],
        [true, 97],
        [true, 97],
      ],
    )
    assert.equal(settled.filter(({ charged }) => charged).length, 1)
    await ledger.hold(call('b', 3))
    await ledger.settle(call('b', 0))
    await ledger.charge(call('c', 96))
    assert.equal((await ledger.settle(call('b', 3))).ok, false)
    await assertBooks(db, conta.id)
  })

  test('a settlement of something never held is a programming error', async (t) => {
    const { ledger, call } = await setup(t)
    for (const wrong of [-1, 0.5, Number.NaN])
      await assert.rejects(ledger.charge(call('x', wrong)), RangeError)
  })

  test('one order that cannot be carried out does not stop those it shares a commit with', async (t) => {
    const { db, conta, ledger, call } = await setup(t)
    const stranger = {
      conta: { id: 'ninguem', plano: 'lite' as const },
      request_id: 's',
      endpoint: '',
      creditos: 1,
    }
    const [first, wrong, last] = await Promise.allSettled([
      ledger.charge(call('a', 1)),
      ledger.charge(stranger),
      ledger.charge(call('b', 1)),
    ])
    assert.deepEqual([first.status, wrong.status, last.status], ['fulfilled', 'rejected', 'fulfilled'])
    assert.deepEqual(await assertBooks(db, conta.id), { cota: 98, extra: 0 })
  })

  test('closing answers what is queued and refuses the rest', async (t) => {
    const { ledger, call } = await setup(t)
    const queued = ledger.charge(call('a', 1))
    await ledger.close()
    assert.equal((await queued).ok, true)
    await assert.rejects(ledger.charge(call('b', 1)), /closed/)
  })
})
