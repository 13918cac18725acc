import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { openRateLimit } from '../../src/platform/limits.ts'
import { NOW } from '../kit/basics.ts'
import { forEachDatabase, openFor } from '../kit/databases.ts'

forEachDatabase((dialect, fresh) => {
  test('of many calls at once exactly the plan’s number pass, each with its own place', async (t) => {
    const place = await fresh(t)
    const db = await openFor(t, place)
    const first = openRateLimit(db, () => NOW)
    const nodes =
      dialect === 'sqlite' ? [first, first] : [first, openRateLimit(await openFor(t, place), () => NOW)]
    const conta = { id: randomUUID(), plano: 'starter' as const }
    const turns = await Promise.all(Array.from({ length: 200 }, async (_, i) => nodes[i % 2]?.consume(conta)))
    const passed = turns.filter((turn) => turn?.ok)
    assert.equal(passed.length, 60)
    assert.deepEqual(
      passed.map((turn) => turn?.remaining).sort((a, b) => Number(a) - Number(b)),
      Array.from({ length: 60 }, (_, i) => i),
    )
    for (const turn of turns) {
      assert.equal(turn?.limit, 60)
      assert.ok(turn.resetMs > 0 && turn.resetMs <= 60_000)
    }
  })

  test('accounts are counted apart, and a change of plan holds in the same minute', async (t) => {
    const limit = openRateLimit(await openFor(t, await fresh(t)), () => NOW)
    const id = randomUUID()
    for (let call = 0; call < 30; call++) assert.equal((await limit.consume({ id, plano: 'lite' })).ok, true)
    assert.equal((await limit.consume({ id, plano: 'lite' })).ok, false)
    assert.equal((await limit.consume({ id: randomUUID(), plano: 'lite' })).remaining, 29)
    assert.deepEqual((await limit.consume({ id, plano: 'pro' })).remaining, 300 - 32)
  })
})
