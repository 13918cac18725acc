import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Uf, ufs } from '../../src/documento/uf.ts'
import { creditosOf, type Entrada, fanOut } from '../../src/inscricao/lookup.ts'
import { DatabaseAway } from '../../src/platform/db/outage.ts'
import { ApiError } from '../../src/platform/errors.ts'
import { ClientLeft } from '../../src/platform/http/outcome.ts'
import { RotaNaoAtende, SourceError, type SourceErrorKind } from '../../src/platform/wire/fonte.ts'
import { NOW, quiet } from '../kit/basics.ts'

const never = () => new Promise<never>(() => {})
const failure = (kind: SourceErrorKind) => new SourceError(kind, kind, { source: 'x', elapsedMs: 1 })

/** A call that notes what it is told. `leave` ends it. */
function caller() {
  const controller = new AbortController()
  const told: Entrada[] = []
  const logged: object[] = []
  return {
    told,
    logged,
    leave: () => controller.abort(new ClientLeft('left')),
    within: {
      room: { log: { ...quiet, error: (fields: object) => void logged.push(fields) } },
      call: {
        request_id: 'r',
        emit: (entry: Entrada) => void told.push(entry),
        leaving: () => controller.signal,
      },
    },
  }
}

type Valor = { valor: string; fonte: string; consultado_em: string; avisos: string[] }
const valorOf = (uf: Uf): Valor => ({
  valor: uf,
  fonte: `${uf}/ie`,
  consultado_em: NOW.toISOString(),
  avisos: [`de ${uf}`],
})

const ask = (special: Partial<Record<Uf, () => Promise<Valor>>>) => (uf: Uf) =>
  special[uf]?.() ?? Promise.resolve(valorOf(uf))

test('each way to fail costs its own entry only, and says what it was', async () => {
  const { within, told, logged } = caller()
  const entries = await fanOut(within, {
    deadlineMs: 200,
    failed: ({ error_code }) => ({ valor: `falhou: ${error_code}` }),
    ask: ask({
      AC: never,
      AL: () => Promise.reject(failure('timeout')),
      AM: () => Promise.reject(failure('network')),
      AP: () => Promise.reject(failure('parse')),
      BA: () => Promise.reject(new RotaNaoAtende('não atende')),
      CE: () => Promise.reject(new ApiError('DOCUMENTO_INVALIDO', 'inválido')),
      DF: () => Promise.reject(new TypeError('a bug with a secret in it')),
      ES: () => {
        throw new TypeError('another')
      },
      GO: () => Promise.reject(new DatabaseAway(new Error('no host'), { lost: true })),
    }),
  })
  const ended = entries.map(({ uf, source_status, valor }) => [
    uf,
    source_status.status,
    source_status.error_code,
    valor,
  ])
  const whence = entries.map(({ fonte, avisos }) => [fonte, ...avisos])
  const unknown = [[''], [''], [''], ['x'], [''], [''], [''], [''], ['']]
  assert.deepEqual(whence.slice(0, 10), [...unknown, ['MA/ie', 'de MA']], 'who answered, if anybody did')
  assert.deepEqual(ended.slice(0, 10), [
    ['AC', 'timeout', 'SITE_INDISPONIVEL', 'falhou: SITE_INDISPONIVEL'],
    ['AL', 'timeout', 'SITE_INDISPONIVEL', 'falhou: SITE_INDISPONIVEL'],
    ['AM', 'error', 'SITE_INDISPONIVEL', 'falhou: SITE_INDISPONIVEL'],
    ['AP', 'error', 'PROCESSAMENTO_FALHOU', 'falhou: PROCESSAMENTO_FALHOU'],
    ['BA', 'error', 'SITE_INDISPONIVEL', 'falhou: SITE_INDISPONIVEL'],
    ['CE', 'error', 'DOCUMENTO_INVALIDO', 'falhou: DOCUMENTO_INVALIDO'],
    ['DF', 'error', 'ERRO_INTERNO', 'falhou: ERRO_INTERNO'],
    ['ES', 'error', 'ERRO_INTERNO', 'falhou: ERRO_INTERNO'],
    ['GO', 'error', 'BANCO_INDISPONIVEL', 'falhou: BANCO_INDISPONIVEL'],
    ['MA', 'success', '', 'MA'],
  ])
  assert.deepEqual(
    entries.map(({ uf }) => uf),
    [...ufs],
  )
  assert.equal(creditosOf(entries), 18)
  assert.deepEqual(new Set(told), new Set(entries))
  assert.equal(told.at(-1)?.uf, 'AC', 'each is told of as it ends')
  assert.deepEqual(logged.map((fields) => Object.keys(fields).toSorted().join()).toSorted(), [
    'err,request_id,uf',
    'err,request_id,uf',
    'error_code,reason,request_id,uf',
  ])
  assert.doesNotMatch(JSON.stringify(entries), /secret/)
})

test('a failure of ours that strikes every state is thrown', async () => {
  for (const failed of [new TypeError('no table'), new DatabaseAway('no host', { lost: true })]) {
    const { within } = caller()
    const question = { deadlineMs: 1_000, failed: () => ({}), ask: () => Promise.reject(failed) }
    await assert.rejects(fanOut(within, question), failed)
  }
})

test('for a client that is gone already nothing is asked', async () => {
  const { within, leave } = caller()
  leave()
  const question = { deadlineMs: 1_000, failed: () => ({}), ask: () => assert.fail('it was asked') }
  await assert.rejects(fanOut(within, question), ClientLeft)
})

test('when the client leaves, the call ends at once and nothing more is told', async () => {
  const { within, told, leave } = caller()
  const late = Promise.withResolvers<Valor>()
  const asked = fanOut(within, {
    deadlineMs: 10_000,
    failed: () => ({ valor: '' }),
    ask: ask({ SP: () => late.promise }),
  })
  await new Promise(setImmediate)
  assert.equal(told.length, 26)
  leave()
  await assert.rejects(asked, ClientLeft)
  late.resolve(valorOf('SP'))
  await new Promise(setImmediate)
  assert.equal(told.length, 26)
})
