import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { ApiError } from '../../src/domain/errors.ts'
import type { Leitura } from '../../src/domain/fonte/leitura.ts'
import { RotaNaoAtende } from '../../src/domain/fonte/rota-nao-atende.ts'
import { SourceError, type SourceErrorKind } from '../../src/domain/fonte/source-error.ts'
import { createGuard, type Guard } from '../../src/sources/guard/guard.ts'

const sp = { id: 'SP/ie', nome: 'A SEFAZ-SP' }
const rs = { id: 'RS/ie', nome: 'A SEFAZ-RS' }
/** A query to a source, within 10 s unless the test says otherwise. */
const to = (source: typeof sp, deadlineMs = 10_000) => ({ source, deadlineMs, request_id: 'pedido-1' })
const limits = { simultaneous: 2, waiting: 1, failures: 3, pauseMs: 60_000 }

type Line = Record<string, unknown>
function guarded(overrides: Partial<typeof limits> = {}): { guard: Guard; lines: Line[] } {
  const lines: Line[] = []
  const log = { info: (fields: object, message: string) => void lines.push({ ...fields, message }) }
  return { guard: createGuard(log, { limits: { ...limits, ...overrides } }), lines }
}

const outage = async (): Promise<never> => {
  throw new SourceError('timeout', 'A SEFAZ-SP não respondeu a tempo.', { source: 'SP/ie', elapsedMs: 20 })
}
const nonsense = async (): Promise<never> => {
  throw new SourceError('parse', 'A SEFAZ-SP respondeu sem sentido.', { source: 'SP/ie', elapsedMs: 20 })
}
const fail = async (guard: Guard, run: () => Promise<never>, times: number): Promise<void> => {
  for (let i = 0; i < times; i++) {
    const thrown: unknown[] = []
    const noted = () =>
      run().catch((error: unknown) => {
        thrown.push(error)
        throw error
      })
    await assert.rejects(guard(to(sp), noted), (error) => thrown.includes(error))
  }
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

/** A guard whose readings are kept, with a clock of its own to turn. */
function watched(overrides: Partial<typeof limits> = {}) {
  const clock = { instant: Date.parse('2026-11-14T15:00:00Z') }
  const leituras: Leitura[] = []
  const guard = createGuard(
    { info: () => {} },
    {
      limits: { ...limits, ...overrides },
      now: () => new Date(clock.instant),
      onCall: (leitura) => void leituras.push(leitura),
    },
  )
  return { guard, clock, leituras }
}

test('each query that is sent is told of: when, how long it took, and how it failed with the most telling code', async () => {
  const { guard, leituras, clock } = watched()
  const failing = (kind: SourceErrorKind, details: object) => async (): Promise<never> => {
    throw new SourceError(kind, 'A SEFAZ-SP falhou.', { source: 'SP/ie', elapsedMs: 1, ...details })
  }
  const reset = Object.assign(new Error('reset'), { code: 'ECONNRESET' })
  await guard(to(sp), async () => 'ok')
  await fail(guard, failing('parse', {}), 1)
  await fail(guard, failing('http', { status: 400, codigo: 'cStat 656' }), 1)
  await fail(guard, failing('http', { status: 404 }), 1)
  await fail(guard, failing('network', { cause: reset }), 1)
  assert.deepEqual(
    leituras.map(({ falha }) => falha && `${falha.tipo} ${falha.codigo}`.trim()),
    [undefined, 'parse', 'http cStat 656', 'http HTTP 404', 'network ECONNRESET'],
  )
  for (const { fonte, em, ms, circuito } of leituras) {
    assert.deepEqual([fonte, em.getTime(), circuito], ['SP/ie', clock.instant, { estado: 'fechado' }])
    assert.ok(Number.isInteger(ms) && ms >= 0)
  }
})

test('a document that the source refuses, and a question that is not for it, count as answered', async () => {
  const { guard, leituras } = watched()
  for (const error of [new ApiError('DOCUMENTO_INVALIDO', 'não existe'), new RotaNaoAtende('só por CNPJ')])
    await assert.rejects(
      guard(to(sp), async () => Promise.reject(error)),
      error,
    )
  assert.deepEqual(
    leituras.map(({ falha }) => falha),
    [undefined, undefined],
  )
})

test('a captcha that nobody solved counts as failed, with its code, and opens no circuit', async () => {
  const { guard, leituras } = watched()
  const unsolved = async (): Promise<never> => {
    throw new RotaNaoAtende('O serviço de captcha não respondeu.', { codigo: 'captcha-sem-resposta' })
  }
  await fail(guard, unsolved, 4)
  for (const { falha, circuito } of leituras)
    assert.deepEqual(
      [falha?.tipo, falha?.codigo, circuito.estado],
      ['blocked', 'captcha-sem-resposta', 'fechado'],
    )
  assert.equal(leituras.length, 4)
})

test('the circuit is closed, open until a moment, in test, and closed again; a query that was not sent is not told of', async () => {
  const { guard, leituras, clock } = watched({ pauseMs: 0 })
  assert.deepEqual(guard.circuit('SP/ie'), { estado: 'fechado' }, 'of a source that was never asked')
  await fail(guard, outage, 3)
  assert.equal(guard.circuit('SP/ie').estado, 'em-teste')
  const gate = Promise.withResolvers<void>()
  const trial = guard(to(sp), () => gate.promise)
  assert.equal(guard.circuit('SP/ie').estado, 'em-teste')
  gate.resolve()
  await trial
  assert.deepEqual(guard.circuit('SP/ie'), { estado: 'fechado' })
  assert.deepEqual(
    leituras.map(({ circuito }) => circuito.estado),
    ['fechado', 'fechado', 'em-teste', 'fechado'],
  )
  const patient = watched()
  await fail(patient.guard, outage, 3)
  await assert.rejects(patient.guard(to(sp), outage), { kind: 'blocked', codigo: 'circuito-aberto' })
  assert.equal(patient.leituras.length, 3)
  const ate = new Date(clock.instant + limits.pauseMs)
  assert.deepEqual(patient.guard.circuit('SP/ie'), { estado: 'aberto', ate })
  assert.deepEqual(patient.leituras.at(-1)?.circuito, { estado: 'aberto', ate })
  patient.clock.instant += limits.pauseMs
  assert.equal(patient.guard.circuit('SP/ie').estado, 'em-teste')
})

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
