import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ApiError } from '../../src/platform/errors.ts'
import { RotaNaoAtende, SourceError, type SourceErrorKind } from '../../src/platform/wire/fonte.ts'
import { fail, limits, outage, sp, to, watched } from '../kit/transport.ts'

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
