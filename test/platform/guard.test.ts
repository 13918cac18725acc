import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { fail, guarded, nonsense, outage, rs, sp, to } from '../kit/transport.ts'

test('outages in a row open the circuit of their source, and of no other', async () => {
  const { guard } = guarded()
  await fail(guard, outage, 3)
  let asked = 0
  const refused = guard(to(sp), async () => ++asked)
  await assert.rejects(refused, {
    kind: 'blocked',
    codigo: 'circuito-aberto',
    message: /SEFAZ-SP falhou várias vezes/,
  })
  assert.equal(asked, 0)
  assert.equal(await guard(to(rs), async () => 'ok'), 'ok')
})

test('an answer between them starts the count again, and answers that cannot be read do not count', async () => {
  const { guard } = guarded()
  await fail(guard, outage, 2)
  await guard(to(sp), async () => 'ok')
  await fail(guard, outage, 2)
  await fail(guard, nonsense, 10)
  assert.equal(await guard(to(sp), async () => 'ok'), 'ok')
})

test('after the pause one query tries the source, and closes the circuit when it is answered', async () => {
  const { guard } = guarded({ pauseMs: 0 })
  await fail(guard, outage, 3)
  assert.equal(await guard(to(sp), async () => 'ok'), 'ok')
  await fail(guard, outage, 2)
  assert.equal(await guard(to(sp), async () => 'ok'), 'ok')
})

test('a source is asked so many queries at once, some wait, and the rest are turned away', async () => {
  const { guard } = guarded()
  const gates = [0, 1, 2].map(() => Promise.withResolvers<void>())
  let running = 0
  const asked = gates.map(({ promise }) =>
    guard(to(sp), async () => {
      running += 1
      await promise
    }),
  )
  await assert.rejects(
    guard(to(sp), async () => 'ok'),
    { kind: 'blocked', codigo: 'fila', message: /fila/ },
  )
  assert.equal(running, 2)
  for (const { resolve } of gates) resolve()
  await Promise.all(asked)
  assert.equal(running, 3)
})

/** A clock for one test. It moves the time that passes and the timers together. */
function startClock(t: TestContext): (ms: number) => void {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  let elapsed = 0
  t.mock.method(performance, 'now', () => elapsed)
  return (ms) => {
    elapsed += ms
    t.mock.timers.tick(ms)
  }
}

test('the wait for a place counts as time: who waited too long is not sent, the others hear what is left', async (t) => {
  const pass = startClock(t)
  const { guard } = guarded({ simultaneous: 1, waiting: 2 })
  const gate = Promise.withResolvers<void>()
  const first = guard(to(sp), () => gate.promise)
  const second = guard(to(sp, 20_000), async () => assert.fail('it was sent'))
  pass(10_000)
  await assert.rejects(second, { kind: 'blocked', message: /fila/ })
  const third = guard(to(sp, 60_000), async (leftMs) => leftMs)
  pass(7_000)
  gate.resolve()
  await first
  assert.equal(await third, 53_000)
})

test('half of the time is kept for the query itself: one sent with none left would look like an outage', async (t) => {
  const pass = startClock(t)
  const { guard } = guarded({ simultaneous: 1, waiting: 2 })
  const gate = Promise.withResolvers<void>()
  const first = guard(to(sp), () => gate.promise)
  const late = guard(to(sp, 40_000), outage)
  const inTime = guard(to(sp, 40_002), async (leftMs) => leftMs)
  pass(20_000)
  gate.resolve()
  await assert.rejects(late, { codigo: 'fila' })
  await first
  assert.equal(await inTime, 20_002)
})

test('a query whose time is over before it begins is not sent', async () => {
  const { guard } = guarded()
  for (let i = 0; i < 4; i++)
    await assert.rejects(
      guard(to(sp, 0), async () => assert.fail('it was sent')),
      { kind: 'timeout' },
    )
  assert.equal(await guard(to(sp), async () => 'ok'), 'ok', 'and does not count against the source')
})

test('one line a call: the source, how it ended and how long it took', async () => {
  const { guard, lines } = guarded()
  await guard(to(sp), async () => 'ok')
  await fail(guard, outage, 1)
  const [answered, failed] = lines
  assert.deepEqual(Object.keys(answered ?? {}).sort(), ['message', 'ms', 'request_id', 'source'])
  assert.equal(answered?.request_id, 'pedido-1')
  assert.equal(failed?.kind, 'timeout')
  assert.equal(failed?.source, 'SP/ie')
  assert.equal(typeof failed?.ms, 'number')
})
