import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createGuard } from '../../src/platform/wire/guard.ts'
import { outage, rs, sp, to, watched } from '../kit/transport.ts'

/** Runs all that is ready. */
const settle = () => new Promise(setImmediate)

test('queries to a source with a pace are sent one at a time, so far apart, and those of another source are not held up', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const { guard } = watched()
  const sent: string[] = []
  const ask = (name: string, source = sp) =>
    guard({ ...to(source), paceMs: 1_000 }, async () => {
      sent.push(name)
    })
  const asked = [ask('a'), ask('b'), ask('c'), ask('d', rs)]
  await settle()
  assert.deepEqual(sent, ['a', 'd'])
  t.mock.timers.tick(1_000)
  await settle()
  assert.deepEqual(sent, ['a', 'd', 'b'])
  t.mock.timers.tick(1_000)
  await Promise.all(asked)
  assert.deepEqual(sent, ['a', 'd', 'b', 'c'])
})

test('a query whose turn would come too late fails at once, and takes nobody else’s turn', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const { guard, leituras } = watched()
  const paced = (deadlineMs: number) => ({ ...to(sp, deadlineMs), paceMs: 1_000 })
  await guard(paced(10_000), async () => 'ok')
  const late = guard(paced(1_000), async () => assert.fail('it was sent'))
  await assert.rejects(late, { kind: 'blocked', codigo: 'fila', unavailable: true })
  assert.equal(leituras.length, 1)
  const next = guard(paced(10_000), async () => 'ok')
  t.mock.timers.tick(1_000)
  assert.equal(await next, 'ok')
})

test('the simulator shortens the pace', async () => {
  const guard = createGuard({ info: () => {} }, { pace: 0 })
  const hour = { ...to(sp), paceMs: 3_600_000 }
  assert.deepEqual(await Promise.all([1, 2, 3].map((n) => guard(hour, async () => n))), [1, 2, 3])
})

test('behind the query that tries a source with a pace nobody waits: they would then be sent together', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const { guard } = watched({ pauseMs: 0, failures: 1 })
  const paced = { ...to(sp), paceMs: 1 }
  await assert.rejects(guard(paced, outage), { kind: 'timeout' })
  const gate = Promise.withResolvers<string>()
  const trial = guard(paced, () => gate.promise)
  t.mock.timers.tick(1)
  await settle()
  await assert.rejects(
    guard(paced, async () => 'ok'),
    { kind: 'blocked', codigo: 'circuito-aberto' },
  )
  gate.resolve('de volta')
  assert.equal(await trial, 'de volta')
})
