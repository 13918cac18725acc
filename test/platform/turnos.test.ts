import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import type { Db } from '../../src/platform/db/db.ts'
import { openTurnos } from '../../src/platform/jobs/lease.ts'
import { forEachDatabase, openFor, type Place } from '../kit/databases.ts'

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
