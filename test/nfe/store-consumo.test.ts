import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { type Consumo, openConsumo } from '../../src/nfe/store.ts'
import { NOW, vezes } from '../kit/basics.ts'
import { forEachDatabase, openFor, type Place } from '../kit/databases.ts'

const SECRET = 'um segredo de teste bastante comprido'
const CNPJ = '98764321000155'
const HOUR = 3_600_000
/** An hour, and the minute that the clocks and the way to the authority may take. */
const WINDOW = HOUR + 60_000
const at = (ms: number): Date => new Date(NOW.getTime() + ms)

forEachDatabase((dialect, fresh) => {
  type T = Parameters<typeof fresh>[0]
  async function setup(t: T, place?: Place, ambiente = 'producao') {
    const db = await openFor(t, place ?? (await fresh(t)))
    const clock = { now: NOW }
    return { db, clock, consumo: openConsumo(db, { now: () => clock.now, ambiente, secret: SECRET }) }
  }
  const takeAll = async (consumo: Consumo): Promise<void> => {
    for (let left = 19; left >= 0; left--) {
      const { ok, restantes } = await consumo.take(CNPJ)
      assert.deepEqual([ok, restantes], [true, left])
    }
  }

  test('twenty queries pass, the next ones wait until the first is an hour old', async (t) => {
    const { consumo, clock } = await setup(t)
    assert.deepEqual(await consumo.look(CNPJ), { limite: 20, restantes: 20, renewsAt: NOW })
    await consumo.take(CNPJ)
    clock.now = at(10_000)
    for (let query = 1; query < 20; query++) assert.equal((await consumo.take(CNPJ)).ok, true)
    const spent = { limite: 20, restantes: 0, renewsAt: at(WINDOW) }
    assert.deepEqual(await consumo.take(CNPJ), { ok: false, ...spent })
    assert.deepEqual(await consumo.look(CNPJ), spent)
    clock.now = at(WINDOW - 1)
    assert.equal((await consumo.take(CNPJ)).ok, false)
    clock.now = at(WINDOW)
    assert.deepEqual(await consumo.look(CNPJ), { limite: 20, restantes: 1, renewsAt: at(WINDOW + 10_000) })
    assert.equal((await consumo.take(CNPJ)).ok, true)
    assert.equal((await consumo.take(CNPJ)).ok, false)
  })

  test('of many queries at once, on two nodes, twenty pass', async (t) => {
    const place = await fresh(t)
    const nodes = [await setup(t, place), await setup(t, place)]
    const taken = await Promise.all(
      Array.from({ length: 60 }, (_, i) => nodes[i % nodes.length]?.consumo.take(CNPJ)),
    )
    const passed = taken.flatMap((turn) => (turn?.ok ? [turn.restantes] : []))
    assert.deepEqual(
      passed.sort((a, b) => a - b),
      Array.from({ length: 20 }, (_, i) => i),
    )
  })

  test('each holder and each environment has a budget of its own', async (t) => {
    const place = await fresh(t)
    const { consumo } = await setup(t, place)
    await takeAll(consumo)
    assert.equal((await consumo.take('98764321000236')).restantes, 19)
    const homologacao = await setup(t, place, 'homologacao')
    assert.equal((await homologacao.consumo.take(CNPJ)).restantes, 19)
  })

  test('a holder whom the authority refused is not asked for during an hour and the minute, and each refusal begins it anew', async (t) => {
    const { consumo, clock } = await setup(t)
    await consumo.take(CNPJ)
    assert.deepEqual(await consumo.block(CNPJ), { limite: 20, restantes: 0, renewsAt: at(WINDOW) })
    clock.now = at(5_000)
    const blocked = { limite: 20, restantes: 0, renewsAt: at(WINDOW + 5_000) }
    assert.deepEqual(await consumo.block(CNPJ), blocked)
    clock.now = at(WINDOW + 4_999)
    assert.deepEqual(await consumo.take(CNPJ), { ok: false, ...blocked })
    clock.now = at(WINDOW + 5_000)
    await takeAll(consumo)
  })

  test('of two nodes that are refused, the later refusal counts, whichever is written down last', async (t) => {
    const place = await fresh(t)
    const [here, there] = [await setup(t, place), await setup(t, place)]
    here.clock.now = at(5_000)
    await here.consumo.block(CNPJ)
    const { renewsAt } = await there.consumo.block(CNPJ)
    assert.deepEqual(renewsAt, at(WINDOW + 5_000))
    assert.deepEqual((await there.consumo.look(CNPJ)).renewsAt, at(WINDOW + 5_000))
  })

  test('what is given back may be taken again, by whoever asks first', async (t) => {
    const place = await fresh(t)
    const [{ consumo }, other] = [await setup(t, place), await setup(t, place)]
    await takeAll(consumo)
    await Promise.all([consumo, other.consumo].map((node) => node.giveBack(CNPJ)))
    assert.equal((await consumo.look(CNPJ)).restantes, 2)
    const taken = await Promise.all(Array.from({ length: 5 }, () => consumo.take(CNPJ)))
    assert.equal(taken.filter(({ ok }) => ok).length, 2)
  })

  test('what is given back of an empty or a blocked budget changes nothing', async (t) => {
    const { consumo } = await setup(t)
    await consumo.giveBack(CNPJ)
    assert.equal((await consumo.look(CNPJ)).restantes, 20)
    await consumo.take(CNPJ)
    await consumo.block(CNPJ)
    await consumo.giveBack(CNPJ)
    assert.deepEqual(await consumo.look(CNPJ), { limite: 20, restantes: 0, renewsAt: at(WINDOW) })
  })

  test('a holder of whom nothing is known yet can be blocked', async (t) => {
    const { consumo } = await setup(t)
    await consumo.block(CNPJ)
    assert.equal((await consumo.take(CNPJ)).ok, false)
    assert.equal((await consumo.look(CNPJ)).restantes, 0)
  })

  test('in no hour more than twenty queries leave, and none is refused without need', async (t) => {
    const { db } = await setup(t)
    let holders = 0
    const gaps = fc.array(fc.integer({ min: 0, max: 10 * 60_000 }), { minLength: 15, maxLength: 40 })
    const property = fc.asyncProperty(gaps, async (pauses) => {
      const clock = { now: NOW }
      const consumo = openConsumo(db, { now: () => clock.now, ambiente: 'producao', secret: SECRET })
      const documento = String(holders++)
      const left: number[] = []
      for (const pause of pauses) {
        clock.now = new Date(clock.now.getTime() + pause)
        const counted = left.filter((instant) => instant > clock.now.getTime() - WINDOW)
        const { ok, restantes, renewsAt } = await consumo.take(documento)
        assert.equal(ok, counted.length < 20)
        if (ok) left.push(clock.now.getTime())
        assert.equal(restantes, ok ? 19 - counted.length : 0)
        assert.equal(renewsAt.getTime(), (counted[0] ?? clock.now.getTime()) + WINDOW)
      }
    })
    await fc.assert(property, { numRuns: vezes(dialect === 'sqlite' ? 50 : 15) })
  })

  test('no document stands in the database, and who may be forgotten is swept', async (t) => {
    const { db, consumo, clock } = await setup(t)
    await consumo.take(CNPJ)
    clock.now = at(1)
    await consumo.take('98764321000236')
    await consumo.block('98764321000317')
    const rows = await db.kysely.selectFrom('consumo').selectAll().execute()
    for (const { titular } of rows) assert.match(titular, /^[0-9a-f]{64}$/)
    clock.now = at(WINDOW - 1)
    assert.equal(await consumo.sweep(), 0)
    clock.now = at(WINDOW)
    assert.equal(await consumo.sweep(), 1)
    clock.now = at(WINDOW + 1)
    assert.equal(await consumo.sweep(), 2)
    assert.equal((await consumo.look(CNPJ)).restantes, 20)
  })
})
