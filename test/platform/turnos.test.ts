import assert from 'node:assert/strict'
import { describe, type TestContext, test } from 'node:test'
import { sql } from 'kysely'
import { type Db, openDb } from '../../src/platform/db/db.ts'
import { LEASE_MS, sweepLeases, workAlone } from '../../src/platform/jobs/lease.ts'
import { openTurnos } from '../../src/platform/jobs/turnos.ts'
import { pausa } from '../kit/basics.ts'
import { forEachDatabase, newPostgres, openFor, type Place } from '../kit/databases.ts'

const FONTE = 'BR/ccc'
/** A turn comes at once or not at all: nobody waits. */
const now = { patienceMs: 0, pauseMs: 0, leaseMs: 60_000 }

forEachDatabase((_dialect, fresh) => {
  async function node(t: Parameters<typeof fresh>[0], place: Place, ambiente = 'producao') {
    const db = await openFor(t, place)
    return { db, turnos: openTurnos(db, { ambiente }) }
  }
  /** Lets time pass for the database: every noted instant moves back by so much. */
  const pass = (db: Db, ms: number) =>
    sql`update posses set livre_em = livre_em - ${ms}, ate = ate - ${ms}`.execute(db.kysely)

  test('of many who ask at once, on two nodes, one gets the turn', async (t) => {
    const place = await fresh(t)
    const nodes = [await node(t, place), await node(t, place)]
    const taken = await Promise.all(
      Array.from({ length: 20 }, (_, i) => nodes[i % 2]?.turnos.take(FONTE, now)),
    )
    assert.equal(taken.filter(Boolean).length, 1)
  })

  test('the next turn begins 3 s after the last one ended, on whichever node', async (t) => {
    const place = await fresh(t)
    const [first, second] = [await node(t, place), await node(t, place)]
    const turno = await first.turnos.take(FONTE, now)
    assert.ok(turno)
    await pass(first.db, 30_000)
    assert.equal(await second.turnos.take(FONTE, now), undefined, 'one at a time, however long it takes')
    await turno.end(3_000)
    assert.equal(await second.turnos.take(FONTE, now), undefined)
    await pass(first.db, 3_000)
    assert.ok(await second.turnos.take(FONTE, now))
  })

  test('after a rest of 15 minutes nobody waits for the turn that cannot come in time', async (t) => {
    const place = await fresh(t)
    const [first, second] = [await node(t, place), await node(t, place)]
    await (await first.turnos.take(FONTE, now))?.end(15 * 60_000)
    // An hour of patience would hang this test, if it were used.
    const patient = { ...now, patienceMs: 14 * 60_000 }
    assert.equal(await second.turnos.take(FONTE, patient), undefined)
    await pass(first.db, 15 * 60_000)
    assert.ok(await second.turnos.take(FONTE, now))
  })

  test('who waits gets the turn when it is given back', async (t) => {
    const place = await fresh(t)
    const [first, second] = [await node(t, place), await node(t, place)]
    const turno = await first.turnos.take(FONTE, now)
    const waiting = second.turnos.take(FONTE, { ...now, patienceMs: 60_000 })
    await turno?.end(0)
    assert.ok(await waiting)
  })

  test('who would wait longer than its patience, behind those that wait already, does not wait at all', async (t) => {
    const { turnos } = await node(t, await fresh(t))
    const turno = await turnos.take(FONTE, now)
    const six = { patienceMs: 6_000, pauseMs: 3_000, leaseMs: 60_000 }
    const waiting = [1, 2, 3].map(() => turnos.take(FONTE, six))
    // The fourth turn would come after nine seconds.
    assert.equal(await turnos.take(FONTE, six), undefined)
    await turno?.end(0)
    await Promise.all(waiting.map(async (one) => (await one)?.end(0)))
  })

  test('the turn of a node that died ends by itself, and what it says later changes nothing', async (t) => {
    const place = await fresh(t)
    const [dead, other] = [await node(t, place), await node(t, place)]
    const late = await dead.turnos.take(FONTE, { ...now, leaseMs: 40_000 })
    await pass(dead.db, 40_000)
    const turno = await other.turnos.take(FONTE, now)
    await late?.end(0)
    assert.equal(await dead.turnos.take(FONTE, now), undefined, 'the other still has it')
    await turno?.end(0)
    assert.ok(await dead.turnos.take(FONTE, now))
  })

  test('the simulator’s turns are not the authority’s', async (t) => {
    const place = await fresh(t)
    const [live, simulated] = [await node(t, place), await node(t, place, 'simulador')]
    assert.ok(await live.turnos.take(FONTE, now))
    assert.ok(await simulated.turnos.take(FONTE, now))
  })
})

const MINUTE_MS = 60_000

describe('what several nodes share by rows (PostgreSQL)', () => {
  async function nodes(t: TestContext) {
    const place = { databaseUrl: await newPostgres(), arquivo: '' }
    const first = await openFor(t, place)
    const turnos = [first, await openFor(t, place)].map((db) => openTurnos(db, { ambiente: 'producao' }))
    const [one, other] = turnos
    assert.ok(one && other)
    return { one, other, first, place }
  }
  const numbers = ({ kysely }: Db) =>
    kysely.selectFrom('posses').select('nome').where('nome', 'like', 'lugar:% %').execute()

  test('instants are one gap apart, whichever node takes them, and one that is too far ahead is not taken', async (t) => {
    const { one, other } = await nodes(t)
    const pace = { gapMs: MINUTE_MS, patienceMs: 6 * MINUTE_MS }
    const began = performance.now()
    const waits: number[] = []
    for (const { reserve } of [one, other, other, one, other, one, one])
      waits.push((await reserve('GO/cnd', pace)) ?? Number.NaN)
    const lasted = performance.now() - began
    for (const [at, wait] of waits.entries())
      assert.ok(wait <= at * MINUTE_MS && wait >= at * MINUTE_MS - lasted - 1, `${at}: ${wait}`)
    assert.equal(await other.reserve('GO/cnd', pace), undefined)
    assert.equal(await one.reserve('GO/cnd', { ...pace, patienceMs: MINUTE_MS }), undefined)
    assert.equal(await other.reserve('GO/ie', pace), 0, 'another source has instants of its own')
    const simulated = openTurnos((await nodes(t)).first, { ambiente: 'simulador' })
    assert.equal(await simulated.reserve('GO/cnd', pace), 0)
  })

  test('nodes that ask at the same moment take different instants', async (t) => {
    const { one, other } = await nodes(t)
    const pace = { gapMs: MINUTE_MS, patienceMs: 100 * MINUTE_MS }
    const waits = await Promise.all(
      Array.from({ length: 20 }, (_, at) => (at % 2 ? one : other).reserve('GO/ie', pace)),
    )
    const minutes = waits.map((wait = Number.NaN) => Math.ceil(wait / MINUTE_MS)).sort((a, b) => a - b)
    assert.deepEqual(
      minutes,
      minutes.map((_, at) => at),
    )
  })

  test('after the clock was set back the line begins anew', async (t) => {
    const { one, other, first } = await nodes(t)
    const pace = { gapMs: 3_000, patienceMs: 60_000 }
    await one.reserve('GO/ie', pace)
    await sql`update posses set livre_em = livre_em + ${60 * MINUTE_MS}`.execute(first.kysely)
    assert.equal(await other.reserve('GO/ie', pace), 0)
  })

  test('places are given in the order of arrival, who leaves is passed over, and nothing is left in the end', async (t) => {
    const { one, other, first } = await nodes(t)
    const order: string[] = []
    const gates = new Map<string, () => void>()
    const enter = (turnos: typeof one, name: string, signal?: AbortSignal): Promise<void> =>
      turnos.inPlace('BR/sigef', { places: 2, longestMs: 60_000, signal }, async () => {
        order.push(name)
        const gate = Promise.withResolvers<void>()
        gates.set(name, gate.resolve)
        await gate.promise
      })
    const leaving = new AbortController()
    const all: Promise<void>[] = []
    for (const [at, [turnos, name]] of (
      [
        [one, 'a'],
        [one, 'b'],
        [other, 'c'],
        [one, 'leaves'],
        [other, 'd'],
        [one, 'e'],
      ] as const
    ).entries()) {
      all.push(enter(turnos, name, name === 'leaves' ? leaving.signal : undefined))
      while ((await numbers(first)).length <= at) await pausa()
    }
    while (gates.size < 2) await pausa()
    assert.deepEqual(order.toSorted(), ['a', 'b'])
    leaving.abort(new Error('hung up'))
    await assert.rejects(all[3] ?? Promise.resolve(), { message: 'hung up' })
    for (const [name, next] of [
      ['a', 'c'],
      ['c', 'd'],
      ['b', 'e'],
    ] as const) {
      gates.get(name)?.()
      while (!gates.has(next)) await pausa()
      assert.equal(order.at(-1), next)
    }
    for (const open of gates.values()) open()
    await Promise.all(all.filter((_, at) => at !== 3))
    assert.deepEqual(await numbers(first), [])
  })

  test('a place whose work failed is free at once', async (t) => {
    const { one, other } = await nodes(t)
    const places = { places: 1, longestMs: 60_000 }
    const failing = one.inPlace('BR/sigef', places, () => Promise.reject(new Error('no')))
    await assert.rejects(failing, { message: 'no' })
    assert.equal(await other.inPlace('BR/sigef', places, async () => 'in'), 'in')
  })

  test('a node that died leaves its places, and its numbers in the line, after the lease', async (t) => {
    const { other, first, place } = await nodes(t)
    const doomed = await openDb(place)
    const one = openTurnos(doomed, { ambiente: 'producao' })
    const places = { places: 1, longestMs: 60_000 }
    const held = Promise.withResolvers<void>()
    let dead = one.inPlace('BR/sigef', places, async () => {
      held.resolve()
      await new Promise(() => {})
    })
    await held.promise
    dead = Promise.race([dead, one.inPlace('BR/sigef', places, async () => assert.fail('it is dead'))])
    while ((await numbers(first)).length < 2) await pausa()
    const living = other.inPlace('BR/sigef', places, async () => 'in')
    while ((await numbers(first)).length < 3) await pausa()
    // It gives no sign of life any more.
    await doomed.close()
    await assert.rejects(dead)
    const ends = sql`update posses set ate = ate - ${LEASE_MS} where nome in (
      select nome from posses where nome like 'lugar:% %' order by vez limit 2)`
    await ends.execute(first.kysely)
    assert.equal(await living, 'in')
  })

  test('who works alone keeps others out until its transaction ends, and one that failed leaves nothing', async (t) => {
    const place = { databaseUrl: await newPostgres(), arquivo: '' }
    const [first, second] = [await openFor(t, place), await openFor(t, place)]
    const order: string[] = []
    const alone = (db: Db, name: string, work: () => Promise<void>) =>
      db.kysely.transaction().execute(async (trx) => {
        await workAlone(trx, { dialect: 'postgres', nome: 'obra' })
        order.push(name)
        await work()
      })
    const entered = Promise.withResolvers<void>()
    const gate = Promise.withResolvers<void>()
    const failing = alone(first, 'first', async () => {
      entered.resolve()
      await gate.promise
      order.push('fails')
      throw new Error('no')
    })
    await entered.promise
    const waiting = alone(second, 'second', async () => {})
    const blocked = () =>
      sql`select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
        .execute(first.kysely)
        .then(({ rows }) => rows.length)
    while ((await blocked()) === 0) await pausa()
    assert.deepEqual(order, ['first'])
    // Whoever sweeps the leases meanwhile does not wait.
    await sweepLeases(first)
    gate.resolve()
    await assert.rejects(failing, { message: 'no' })
    await waiting
    assert.deepEqual(order, ['first', 'fails', 'second'])
    await sweepLeases(second)
    await alone(first, 'again', async () => {})
  })
})
