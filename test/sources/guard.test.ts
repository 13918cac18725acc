import assert from 'node:assert/strict'
import { test } from 'node:test'
import { SourceError } from '../../src/domain/source-error.ts'
import { createGuard, type Guard } from '../../src/sources/guard.ts'

const sp = { id: 'SP/ie', nome: 'A SEFAZ-SP' }
const rs = { id: 'RS/ie', nome: 'A SEFAZ-RS' }
/** A query to a source, within 10 s unless said otherwise. */
const to = (source: typeof sp, deadlineMs = 10_000) => ({ source, deadlineMs, request_id: 'pedido-1' })
const limits = { simultaneous: 2, waiting: 1, failures: 3, pauseMs: 60_000 }

type Line = Record<string, unknown>
function guarded(overrides: Partial<typeof limits> = {}): { guard: Guard; lines: Line[] } {
  const lines: Line[] = []
  const log = { info: (fields: object, message: string) => void lines.push({ ...fields, message }) }
  return { guard: createGuard(log, { ...limits, ...overrides }), lines }
}

const outage = async (): Promise<never> => {
  throw new SourceError('timeout', 'A SEFAZ-SP não respondeu a tempo.', { source: 'SP/ie', elapsedMs: 20 })
}
const nonsense = async (): Promise<never> => {
  throw new SourceError('parse', 'A SEFAZ-SP respondeu sem sentido.', { source: 'SP/ie', elapsedMs: 20 })
}
const fail = async (guard: Guard, run: () => Promise<never>, times: number): Promise<void> => {
  for (let i = 0; i < times; i++) await assert.rejects(guard(to(sp), run))
}

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

test('the wait for a place counts as time: who waited too long is not sent, the others hear what is left', async () => {
  const { guard } = guarded({ simultaneous: 1, waiting: 2 })
  const gate = Promise.withResolvers<void>()
  const first = guard(to(sp), () => gate.promise)
  let asked = false
  const second = guard(to(sp, 20), async () => {
    asked = true
  })
  await assert.rejects(second, { kind: 'blocked', message: /fila/ })
  const third = guard(to(sp, 60_000), async (leftMs) => leftMs)
  gate.resolve()
  await first
  const left = await third
  assert.ok(left > 0 && left <= 60_000)
  assert.equal(asked, false)
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
