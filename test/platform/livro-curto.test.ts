import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { type TestContext, test } from 'node:test'
import fc from 'fast-check'
import { sql } from 'kysely'
import { changePlano } from '../../src/contas/store-contas.ts'
import type { Db } from '../../src/platform/db/db.ts'
import { openCommitHealth } from '../../src/platform/db/queries.ts'
import { messageOf } from '../../src/platform/errors.ts'
import type { Order } from '../../src/platform/ledger/book.ts'
import { openBatch } from '../../src/platform/ledger/io.ts'
import { openLedger } from '../../src/platform/ledger/ledger.ts'
import type { NomePlano } from '../../src/platform/ledger/rules.ts'
import { openShort } from '../../src/platform/ledger/short.ts'
import { newConta } from '../kit/account.ts'
import { NOW, pausa, vezes } from '../kit/basics.ts'
import { assertBooks, forEachDatabase, openFor } from '../kit/databases.ts'
import { openPorta } from '../kit/transport.ts'

type Clock = { now: Date }

const batchOn = (db: Db, clock: Clock, no = 'no-1') =>
  openBatch(db, { no, now: () => clock.now, health: openCommitHealth(db) })

/** All that the books hold, in an order of its own. */
async function booksOf({ kysely }: Db) {
  return {
    saldos: await kysely.selectFrom('saldos').selectAll().orderBy('conta_id').execute(),
    lancamentos: await kysely
      .selectFrom('lancamentos')
      .selectAll()
      .orderBy('request_id')
      .orderBy('tipo')
      .execute(),
    retencoes: await kysely.selectFrom('retencoes').selectAll().orderBy('request_id').execute(),
  }
}

const CONTAS = 4

/** Accounts in one database, and the same ones in the other. */
async function openAccounts(from: Db, to: Db, plano: NomePlano = 'lite'): Promise<string[]> {
  const ids: string[] = []
  for (let n = 0; n < CONTAS; n++) {
    const { id } = await newConta(from, plano)
    for (const [table, key] of [
      ['contas', 'id'],
      ['saldos', 'conta_id'],
      ['lancamentos', 'conta_id'],
    ] as const) {
      const { rows } =
        await sql<object>`select * from ${sql.table(table)} where ${sql.ref(key)} = ${id}`.execute(
          from.kysely,
        )
      for (const row of rows)
        await sql`insert into ${sql.table(table)} (${sql.join(Object.keys(row).map((name) => sql.ref(name)))})
          values (${sql.join(Object.values(row))})`.execute(to.kysely)
    }
    ids.push(id)
  }
  return ids
}

/** One order of a group. `again` names an earlier request in its place. */
type Step = {
  what: 'charge' | 'nota' | 'hold' | 'settle' | 'grant' | 'debit'
  conta: number
  creditos: number
  again: number | null
}

const arbitraryOf = (whats: readonly Step['what'][]): fc.Arbitrary<Step> =>
  fc.record({
    what: fc.constantFrom(...whats),
    conta: fc.nat(CONTAS - 1),
    creditos: fc.oneof({ weight: 20, arbitrary: fc.integer({ min: 1, max: 3 }) }, fc.nat(60)),
    again: fc.oneof({ weight: 40, arbitrary: fc.constant(null) }, fc.nat(200)),
  })

const groupOf = (whats: readonly Step['what'][]) =>
  fc.record({
    hours: fc.oneof({ weight: 30, arbitrary: fc.constant(0) }, fc.integer({ min: -30, max: 24 * 35 })),
    steps: fc.array(arbitraryOf(whats), { minLength: 1, maxLength: 12 }),
  })

/** Mostly charges alone, and between them groups of all kinds. */
const history = fc.array(
  fc.oneof(
    { weight: 5, arbitrary: groupOf(['charge']) },
    { weight: 1, arbitrary: groupOf(['grant']) },
    { weight: 1, arbitrary: groupOf(['charge', 'charge', 'nota', 'hold', 'settle', 'debit']) },
  ),
  { minLength: 5, maxLength: 30 },
)

const ENDPOINTS = [
  '/api/consultar-cnpj',
  '',
  '/api/consultar-cnpj',
  '/api/cnpj',
  '/api/"cnpj"\\',
  '/api/cnpj',
]

type Request = { request_id: string; conta_id: string }

/** The requests made so far. One that was held is settled, and never charged beside that. */
type Made = { held: Request[]; others: Request[] }

function orderOf({ what, creditos, conta, again }: Step, contas: readonly string[], made: Made): Order {
  const like = made[what === 'hold' || what === 'settle' ? 'held' : 'others']
  const known = again === null ? undefined : like[again % like.length]
  const request = known ?? { request_id: randomUUID(), conta_id: contas[conta] ?? '' }
  like.push(request)
  const endpoint = ENDPOINTS[creditos % ENDPOINTS.length] ?? ''
  // A debit is of something.
  const order = { ...request, endpoint, creditos: what === 'debit' ? Math.max(1, creditos) : creditos }
  if (what === 'nota') return { ...order, kind: 'charge', nota: true }
  return { ...order, kind: what }
}

type Commit = ReturnType<typeof openBatch>['commit']

/** An order that changes nothing, and keeps its group from the short way. */
const goWhole =
  (commit: Commit): Commit =>
  async (orders) =>
    (await commit([...orders, { kind: 'look', conta_id: orders[0]?.conta_id ?? '' }])).slice(0, -1)

/** What a group comes to: its outcomes, or the message of its failure. */
const tried = (commit: Commit, orders: readonly Order[]) =>
  commit(orders).catch((error: unknown) => (error instanceof Error ? error.message : error))

forEachDatabase((dialect, fresh) => {
  test('whatever is charged in whatever groups, the short way leaves the books of the whole way', async (t) => {
    const [one, other] = [await openFor(t, await fresh(t)), await openFor(t, await fresh(t))]
    const clock = { now: NOW }
    const short = batchOn(one, clock)
    const whole = batchOn(other, clock)
    const property = fc.asyncProperty(history, async (groups) => {
      clock.now = NOW
      const contas = await openAccounts(one, other)
      const made = { held: [], others: [] }
      for (const { hours, steps } of groups) {
        clock.now = new Date(clock.now.getTime() + 1 + hours * 3_600_000)
        const orders = steps.map((step) => orderOf(step, contas, made))
        assert.deepEqual(await tried(short.commit, orders), await tried(goWhole(whole.commit), orders))
      }
      assert.deepEqual(await booksOf(one), await booksOf(other))
      for (const conta of contas) await assertBooks(one, conta)
    })
    await fc.assert(property, { numRuns: vezes(dialect === 'sqlite' ? 120 : 60) })
    assert.equal(whole.ways.short, 0)
    const { short: went, whole: not } = short.ways
    assert.ok(went > not / 2 && not > 0, `${went} groups went the short way, ${not} did not`)
  })

  test('a group goes the short way only if each order is a charge that needs nothing but a balance', async (t) => {
    const db = await openFor(t, await fresh(t))
    const { id } = await newConta(db, 'lite')
    const clock = { now: NOW }
    const { commit, ways } = batchOn(db, clock)
    const charge = (request_id: string, creditos = 1) =>
      ({ kind: 'charge', conta_id: id, request_id, endpoint: '/api/teste', creditos }) as const
    const wayOf = async (orders: readonly Order[]) => {
      const before = ways.short
      const outcomes = await commit(orders)
      return [ways.short > before ? 'short' : 'whole', ...outcomes.map(({ ok, charged }) => [ok, charged])]
    }
    const done = [true, true]
    const again = [true, false]
    assert.deepEqual(await wayOf([charge('a')]), ['short', done])
    assert.deepEqual(await wayOf([charge('b'), charge('c', 2)]), ['short', done, done])
    assert.deepEqual(await wayOf([charge('a')]), ['whole', again])
    assert.deepEqual(await wayOf([charge('d'), charge('d')]), ['whole', done, again])
    assert.deepEqual(await wayOf([charge('e'), charge('a')]), ['whole', done, again])
    assert.deepEqual(await wayOf([charge('f'), charge('g', 200)]), ['whole', done, [false, false]])
    assert.deepEqual(await wayOf([charge('h', 0)]), ['whole', again])
    assert.deepEqual(await wayOf([{ ...charge('i'), nota: true }]), ['whole', done])
    assert.deepEqual(await wayOf([{ ...charge('j'), kind: 'hold' }, charge('k')]), ['whole', again, done])
    assert.deepEqual(await wayOf([charge('l\n"'), charge('\\')]), ['whole', done, done])
    await assert.rejects(commit([charge('m'), { ...charge('n'), conta_id: 'ninguem' }]), /no balance/)
    clock.now = new Date('2026-12-01T03:00:00Z')
    assert.deepEqual(await wayOf([charge('o')]), ['whole', done])
    assert.deepEqual(await wayOf([charge('p')]), ['short', done])
    clock.now = NOW
    assert.deepEqual(await wayOf([charge('q')]), ['short', done])
    assert.deepEqual(await assertBooks(db, id), { cota: 97, extra: 0 })
  })

  test('an undone charge comes back once, as extra credits, and nothing where none was made', async (t) => {
    const db = await openFor(t, await fresh(t))
    const { id } = await newConta(db, 'lite')
    const { commit } = batchOn(db, { now: NOW })
    const carryOut = async (kind: 'charge' | 'undo', request_id: string) => {
      const [outcome] = await commit([{ kind, conta_id: id, request_id, endpoint: '', creditos: 30 }])
      return [outcome?.ok, outcome?.charged, outcome?.saldo.cota, outcome?.saldo.extra]
    }
    assert.deepEqual(await carryOut('undo', 'a'), [false, false, 100, 0])
    assert.deepEqual(await carryOut('charge', 'a'), [true, true, 70, 0])
    for (let n = 0; n < 2; n++) assert.deepEqual(await carryOut('undo', 'a'), [true, false, 70, 30])
    assert.deepEqual(await carryOut('charge', 'a'), [true, false, 70, 30])
    assert.deepEqual(await assertBooks(db, id), { cota: 70, extra: 30 })
  })

  test('what another process writes to an account between two charges is found', async (t) => {
    const place = await fresh(t)
    const [db, beside] = [await openFor(t, place), await openFor(t, place)]
    const { id } = await newConta(db, 'lite')
    const clock = { now: NOW }
    const [one, other] = [batchOn(db, clock, 'no-1'), batchOn(beside, clock, 'no-2')]
    for (let n = 0; n < 12; n++) {
      const { commit } = n % 3 === 0 ? other : one
      const charge = { conta_id: id, request_id: `r${n}`, endpoint: '', creditos: 1 }
      const [outcome] = await commit([{ ...charge, kind: 'charge' }])
      assert.deepEqual(outcome?.saldo, { cota: 99 - n, extra: 0, periodo: '2026-11' })
    }
    await changePlano(beside, id, 'starter', NOW)
    const [last] = await one.commit([
      { kind: 'charge', conta_id: id, request_id: 'last', endpoint: '', creditos: 1 },
    ])
    assert.equal(last?.saldo.cota, 987)
    await assertBooks(db, id)
    const entries = await openLedger(db, { no: 'no-1', now: () => NOW }).extrato(id, { limite: 100 })
    assert.equal(entries.length, 15, 'each entry stands in the chain')
  })

  if (dialect === 'sqlite') {
    test('a charge writes its rows, and SQLite makes no table for it', async (t) => {
      const db = await openFor(t, await fresh(t))
      assert.ok(db.dialect === 'sqlite')
      const statements: string[] = []
      const prepare: typeof db.prepare = (text) => {
        statements.push(text)
        return db.prepare(text)
      }
      openShort({ ...db, prepare }, { short: 0, early: 0, whole: 0 })
      const stepsOf = (statement: string) =>
        db
          .prepare(`explain ${statement}`)
          .all([])
          .map((step) => String(Object(step).opcode))
      const writes = statements.filter((text) => /^\s*(insert|update)/.test(text)).map(stepsOf)
      assert.equal(writes.length, 2)
      for (const steps of writes) {
        assert.equal(steps.filter((step) => step === 'OpenWrite').length, 1, 'one tree is written')
        assert.ok(!steps.includes('OpenEphemeral'), steps.join(' '))
      }
    })
    return
  }

  test('two nodes that charge the same accounts leave the books of one that does it in their order', async (t) => {
    const place = await fresh(t)
    const [db, second, apart] = [
      await openFor(t, place),
      await openFor(t, place),
      await openFor(t, await fresh(t)),
    ]
    const clock = { now: NOW }
    const contas = await openAccounts(db, apart, 'starter')
    const nodes = [batchOn(db, clock, 'no-1'), batchOn(second, clock, 'no-2')]
    const steps = fc.sample(arbitraryOf(['charge']), { numRuns: 900, seed: 29 })
    const made = { held: [], others: [] }
    const orders = steps.map((step) => orderOf({ ...step, creditos: 1 + (step.creditos % 3) }, contas, made))
    let ok = 0
    const answers = new Map<string, object>()
    const work = async (node: number): Promise<void> => {
      // Each node has requests of its own, and every thirtieth is made on both.
      const own = orders.filter((_, at) => at % 2 === node || at % 30 === 0)
      for (let at = 0, size = 1; at < own.length; at += size, size = 1 + ((at + node) % 7)) {
        const group = own.slice(at, at + size)
        const outcomes = (await nodes[node]?.commit(group)) ?? []
        for (const [n, { charged, saldo }] of outcomes.entries()) {
          const order = group[n]
          if (!charged || !order || !('request_id' in order)) continue
          ok += 1
          answers.set(order.request_id, saldo)
        }
      }
    }
    await Promise.all([work(0), work(1)])
    for (const { ways } of nodes)
      assert.ok(ways.short + ways.early > 20, `${ways.short} groups went the short way, ${ways.early} early`)
    const charges = await db.kysely
      .selectFrom('lancamentos')
      .selectAll()
      .where('tipo', '=', 'charge')
      .execute()
    assert.equal(charges.length, ok, 'each request was charged by one node, once')
    assert.equal(answers.size, ok)

    // Along each account's chain, from the first entry on: one node alone, the whole way, an order at a time.
    const next = new Map(charges.map((entry) => [`${entry.conta_id} ${entry.anterior_request}`, entry]))
    const alone = ['no-1', 'no-2'].map((no) => [no, goWhole(batchOn(apart, clock, no).commit)] as const)
    let walked = 0
    for (const conta_id of contas) {
      const [first] = await apart.kysely
        .selectFrom('lancamentos')
        .select('request_id')
        .where('conta_id', '=', conta_id)
        .execute()
      for (
        let entry = next.get(`${conta_id} ${first?.request_id}`);
        entry;
        entry = next.get(`${conta_id} ${entry.request_id}`)
      ) {
        const { request_id, endpoint, creditos, no } = entry
        const [outcome] =
          (await new Map(alone).get(no)?.([{ kind: 'charge', conta_id, request_id, endpoint, creditos }])) ??
          []
        assert.deepEqual(outcome?.saldo, answers.get(request_id), 'each answer told the balance of its place')
        walked += 1
      }
      await assertBooks(db, conta_id)
    }
    assert.equal(walked, charges.length, 'no entry stands beside its chain')
    assert.deepEqual(await booksOf(db), await booksOf(apart))
  })

  test('a charge whose session was lost while it waited is made once, and never behind our back', async (t) => {
    const place = await fresh(t)
    const direct = await openFor(t, place)
    const porta = await openPorta(t, place.databaseUrl ?? '')
    const db = await openFor(t, { ...place, databaseUrl: porta.databaseUrl })
    const conta = await newConta(direct, 'lite')
    const ledger = openLedger(db, { no: 'no-1', now: () => NOW })
    const call = (request_id: string, creditos: number) => ({ conta, request_id, endpoint: '', creditos })
    assert.equal((await ledger.charge(call('a', 1))).ok, true)
    const waiting = async () =>
      (
        await sql<{ pid: number }>`
          select pid from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`.execute(
          direct.kysely,
        )
      ).rows.map(({ pid }) => pid)
    const isThere = async (pid: number | undefined) =>
      (await sql`select 1 from pg_stat_activity where pid = ${pid}`.execute(direct.kysely)).rows.length > 0
    const late = await direct.kysely.transaction().execute(async (trx) => {
      await sql`select 1 from saldos for update`.execute(trx)
      const told = ledger.charge(call('b', 60)).then(({ charged }) => charged, messageOf)
      while ((await waiting()).length === 0) await pausa()
      const [before] = await waiting()
      // The server does not notice that nobody waits for the statement any more.
      await porta.close()
      while (await ledger.ready()) await pausa()
      assert.ok(await isThere(before))
      await porta.open()
      // In the meantime another has spent the rest.
      await sql`update saldos set cota = cota - 50 where conta_id = ${conta.id}`.execute(trx)
      return { told, before }
    })
    assert.notEqual(await late.told, true)
    while (await isThere(late.before)) await pausa()
    assert.deepEqual((await ledger.saldo(conta)).cota, 49)
    await sql`update saldos set cota = cota + 50 where conta_id = ${conta.id}`.execute(direct.kysely)
    assert.deepEqual(await assertBooks(direct, conta.id), { cota: 99, extra: 0 })
    assert.equal((await ledger.charge(call('b', 60))).charged, true)
    assert.equal((await ledger.charge(call('b', 60))).charged, false)
    assert.deepEqual(await assertBooks(direct, conta.id), { cota: 39, extra: 0 })
    await ledger.close()
  })

  async function openLate(t: TestContext) {
    const place = await fresh(t)
    const direct = await openFor(t, place)
    const porta = await openPorta(t, place.databaseUrl ?? '')
    const db = await openFor(t, { ...place, databaseUrl: porta.databaseUrl })
    const conta = await newConta(direct, 'lite')
    const [ledger, other] = [
      openLedger(db, { no: 'no-1', now: () => NOW }),
      openLedger(direct, { no: 'no-2', now: () => NOW }),
    ]
    const call = (request_id: string, creditos: number) => ({ conta, request_id, endpoint: '', creditos })
    for (const [at, node] of [ledger, other].entries())
      assert.equal((await node.charge(call(`first-${at}`, 1))).ok, true)
    const sessions = async () =>
      (
        await sql<{ pid: number }>`select pid from pg_stat_activity
          where datname = current_database() and query like '%conta as materialized%'
          and pid <> pg_backend_pid()`.execute(direct.kysely)
      ).rows.map(({ pid }) => pid)
    const add = (cota: number) =>
      sql`update saldos set cota = cota + ${cota} where conta_id = ${conta.id}`.execute(direct.kysely)
    return { direct, porta, conta, ledger, call, sessions, add }
  }

  test('a charge that reaches the database when its caller was told that the balance did not suffice is not made', async (t) => {
    const { direct, porta, conta, ledger, call, sessions, add } = await openLate(t)
    const before = await sessions()
    assert.equal(before.length, 2)
    await add(-50)
    porta.swallow()
    const told = ledger.charge(call('the late one', 60))
    while (!porta.hasSwallowed('the late one')) await pausa()
    porta.release()
    porta.cut()
    assert.deepEqual((await told).ok, false)
    await add(50)
    porta.deliver()
    while ((await sessions()).length > 1) await pausa()
    assert.ok(before.includes((await sessions())[0] ?? 0), 'the session of another node goes on')
    assert.deepEqual(await assertBooks(direct, conta.id), { cota: 98, extra: 0 })
    assert.equal((await ledger.charge(call('the late one', 60))).charged, true)
    await ledger.close()
  })

  test('a server that panics over its disk may have charged: it is asked again', async (t) => {
    const { direct, porta, conta, ledger, call } = await openLate(t)
    porta.swallow()
    const told = ledger.charge(call('the late one', 60))
    while (!porta.hasSwallowed('the late one')) await pausa()
    porta.release()
    porta.panic()
    assert.equal((await told).ok, true)
    assert.deepEqual(await assertBooks(direct, conta.id), { cota: 38, extra: 0 })
    await ledger.close()
  })
})
