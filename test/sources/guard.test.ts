import assert from 'node:assert/strict'
import { test } from 'node:test'
import { SourceError } from '../../src/domain/source-error.ts'
import { createGuard, type Guard } from '../../src/sources/guard.ts'

const sp = { id: 'SP/ie', nome: 'A SEFAZ-SP' }
const rs = { id: 'RS/ie', nome: 'A SEFAZ-RS' }
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
  for (let i = 0; i < times; i++) await assert.rejects(guard(sp, run, 'r'))
}

test('outages in a row open the circuit of their source, and of no other', async () => {
  const { guard } = guarded()
  await fail(guard, outage, 3)
  let asked = 0
  const refused = guard(sp, async () => ++asked, 'r')
  await assert.rejects(refused, { kind: 'blocked', message: /SEFAZ-SP falhou várias vezes/ })
  assert.equal(asked, 0)
  assert.equal(await guard(rs, async () => 'ok', 'r'), 'ok')
})

test('an answer between them starts the count again, and answers that cannot be read do not count', async () => {
  const { guard } = guarded()
  await fail(guard, outage, 2)
  await guard(sp, async () => 'ok', 'r')
  await fail(guard, outage, 2)
  await fail(guard, nonsense, 10)
  assert.equal(await guard(sp, async () => 'ok', 'r'), 'ok')
})

test('after the pause one query tries the source, and closes the circuit when it is answered', async () => {
  const { guard } = guarded({ pauseMs: 0 })
  await fail(guard, outage, 3)
  assert.equal(await guard(sp, async () => 'ok', 'r'), 'ok')
  await fail(guard, outage, 2)
  assert.equal(await guard(sp, async () => 'ok', 'r'), 'ok')
})

test('a source is asked so many queries at once, some wait, and the rest are turned away', async () => {
  const { guard } = guarded()
  const gates = [0, 1, 2].map(() => Promise.withResolvers<void>())
  let running = 0
  const asked = gates.map(({ promise }) =>
    guard(
      sp,
      async () => {
        running += 1
        await promise
      },
      'r',
    ),
  )
  await assert.rejects(
    guard(sp, async () => 'ok', 'r'),
    { kind: 'blocked', message: /fila/ },
  )
  assert.equal(running, 2)
  for (const { resolve } of gates) resolve()
  await Promise.all(asked)
  assert.equal(running, 3)
})

test('one line a call: the source, how it ended and how long it took', async () => {
  const { guard, lines } = guarded()
  await guard(sp, async () => 'ok', 'pedido-1')
  await fail(guard, outage, 1)
  const [answered, failed] = lines
  assert.deepEqual(Object.keys(answered ?? {}).sort(), ['message', 'ms', 'request_id', 'source'])
  assert.equal(answered?.request_id, 'pedido-1')
  assert.equal(failed?.kind, 'timeout')
  assert.equal(failed?.source, 'SP/ie')
  assert.equal(typeof failed?.ms, 'number')
})
