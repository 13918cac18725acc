import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { listRoteiro } from '../../simulator/roteiro/roteiro.ts'
import { ufs } from '../../src/documento/uf.ts'
import { estadoOf } from '../../src/estados/estado.ts'
import { areGuardadas } from '../../src/inscricao/schema.ts'
import { success } from '../../src/platform/wire/source-status.ts'
import { semPausas } from '../kit/authority.ts'
import {
  type Fault,
  type House,
  start,
  testFaults,
  testOwnFailure,
  testWhoAsksFirst,
  WRONG_DIGIT,
} from '../kit/house.ts'
import { checkRetryable, DEAD, entriesOf, SLOW, succeeded } from '../kit/portal.ts'
import { reservado } from '../kit/simulator.ts'

const PATH = '/api/consultar-ie-todos'
/** Nobody knows how to ask these states' pages. */
const SEM_PROTOCOLO: readonly string[] = ufs.filter((uf) =>
  estadoOf(uf).ie.every(({ certeza }) => certeza === 'desconhecido'),
)
const CPF = '52998224725'

let house: House
before(async () => {
  house = await start({ IE_SECONDS: '12', ...(await semPausas()) })
})
after(() => house.close())

const ask = (parametros: Record<string, string>, key?: string) =>
  house.ask(`${PATH}?${new URLSearchParams(parametros)}`, key ? { key } : {})

/** A CNPJ with a registration in this state. */
function registeredIn(uf: string): string {
  const row = listRoteiro().find(({ nota }) => nota === `uma inscrição em ${uf}`)
  assert.ok(row?.parametros.cnpj)
  return row.parametros.cnpj
}

describe('200', () => {
  test('every state has its entry, in alphabetical order, with what it found', async () => {
    const { key } = await house.open('lite')
    const cnpj = registeredIn('SP')
    const { status, headers, body } = await ask({ cnpj }, key)
    assert.equal(status, 200)
    assert.deepEqual(Object.keys(body), ['request_id', 'document', 'document_type', 'cached_ufs', 'results'])
    assert.equal(body.document, cnpj)
    assert.equal(body.document_type, 'cnpj')
    assert.deepEqual(body.cached_ufs, [])
    const entries = entriesOf(body)
    assert.deepEqual(
      entries.map(({ uf }) => uf),
      [...ufs],
    )
    for (const entry of entries) {
      assert.deepEqual(Object.keys(entry), [
        'uf',
        'source_status',
        'results',
        'fonte',
        'consultado_em',
        'avisos',
      ])
      const { status, error_code, error_message } = entry.source_status
      assert.match(entry.fonte, status === 'success' ? new RegExp(`^${entry.uf}/ie`) : /^/)
      assert.deepEqual(entry.avisos, [])
      assert.equal(status === 'success', error_code === '' && error_message === '', entry.uf)
      if (status !== 'success') assert.deepEqual(entry.results, [])
    }
    assert.equal(entries.find(({ uf }) => uf === 'SP')?.results?.[0]?.uf_ie, 'SP')
    assert.equal(headers.get('x-credits-charged'), String(succeeded(entries).length))
  })

  test('a state that was asked before is said to come from the cache, and costs the same', async () => {
    const { key } = await house.open('lite')
    const cnpj = registeredIn('MG')
    for (const uf of ['SP', 'MG']) await house.ask(`/api/consultar?uf=${uf}&cnpj=${cnpj}`)
    const fresh = await ask({ cnpj }, key)
    assert.deepEqual(fresh.body.cached_ufs, ['MG', 'SP'])
    const again = await ask({ cnpj }, key)
    assert.deepEqual(again.body.cached_ufs, succeeded(entriesOf(again.body)))
    assert.deepEqual(again.body.results, fresh.body.results)
    assert.equal(again.headers.get('x-credits-charged'), fresh.headers.get('x-credits-charged'))
  })

  test('dead, slow and unknown states cost their own entries only: the others answer, and are paid for', async () => {
    const { key } = await house.open('lite')
    // The slow states never answer, so the answer comes only because the service gives them up.
    const { status, headers, body } = await ask({ cnpj: reservado('misto') }, key)
    assert.equal(status, 200)
    const entries = entriesOf(body)
    for (const { uf, source_status, results = [] } of entries) {
      const { status, error_code, retryable } = source_status
      assert.equal(retryable, DEAD.includes(uf) || SLOW.includes(uf) || SEM_PROTOCOLO.includes(uf), uf)
      if (DEAD.includes(uf) || SEM_PROTOCOLO.includes(uf))
        assert.deepEqual([status, error_code], ['error', 'SITE_INDISPONIVEL'], uf)
      else if (SLOW.includes(uf)) assert.deepEqual([status, error_code], ['timeout', 'SITE_INDISPONIVEL'], uf)
      else assert.deepEqual([status, error_code, results.length], ['success', '', 1], uf)
    }
    checkRetryable(entries)
    // Inside a fan-out `retryable` alone tells it.
    assert.equal(headers.get('retry-after'), null)
    const paid = 27 - new Set([...SEM_PROTOCOLO, ...DEAD, ...SLOW]).size
    assert.equal(succeeded(entries).length, paid)
    assert.equal(headers.get('x-credits-charged'), String(paid))
    assert.equal(headers.get('x-credits-remaining'), String(100 - paid))
    const [{ creditos = 0, tipo = '' } = {}, ...before] = await house.rooms.platform.ledger.extrato(
      (await house.rooms.contas.keys.find(key))?.id ?? '',
    )
    assert.deepEqual([tipo, creditos], ['charge', paid])
    assert.ok(before.every((entry) => entry.tipo !== 'hold'))
  })

  test('a state that does not look up by CPF says so in its entry', async () => {
    const { body } = await ask({ cpf: CPF })
    assert.equal(body.document_type, 'cpf')
    const am = entriesOf(body).find(({ uf }) => uf === 'AM')
    assert.equal(am?.source_status.error_code, 'SITE_INDISPONIVEL')
    assert.equal(am.source_status.retryable, false)
    checkRetryable(entriesOf(body))
  })
})

const faults: Fault[] = [
  ['neither cpf nor cnpj sent', '', 'PARAMETRO_AUSENTE', /cpf ou cnpj/],
  ['empty ones count as not sent', 'cpf=&cnpj=', 'PARAMETRO_AUSENTE', /cpf ou cnpj/],
  ['ie alone', 'ie=110042490114', 'IE_NAO_SUPORTADO', /consultar, com a uf/],
  [
    'ie beside two documents',
    `cpf=${CPF}&cnpj=00000000000191&ie=1`,
    'IE_NAO_SUPORTADO',
    /consultar, com a uf/,
  ],
  ['a repeated ie', 'ie=1&ie=2', 'IE_NAO_SUPORTADO', /consultar, com a uf/],
  ['ie beside a repeated cpf', `cpf=${CPF}&cpf=${CPF}&ie=1`, 'IE_NAO_SUPORTADO', /consultar, com a uf/],
  ['both sent', `cpf=${CPF}&cnpj=00000000000191`, 'PARAMETRO_CONFLITANTE', /cpf e cnpj/],
  ['ie sent', `cpf=${CPF}&ie=110042490114`, 'IE_NAO_SUPORTADO', /consultar, com a uf/],
  ['an invalid ie sent beside an invalid cnpj', `cnpj=${WRONG_DIGIT}&ie=x`, 'IE_NAO_SUPORTADO', /ie/],
  ['a cnpj with a wrong digit', `cnpj=${WRONG_DIGIT}`, 'DOCUMENTO_INVALIDO', /dígito/],
  ['a masked cpf', 'cpf=529.982.247-25', 'DOCUMENTO_INVALIDO', /somente dígitos/],
  ['a repeated cpf', `cpf=${CPF}&cpf=${CPF}`, 'PARAMETRO_INVALIDO', /mais de uma vez/],
]

describe('400', () => {
  testFaults(() => house, PATH, faults)

  test('an empty ie counts as not sent', async () => {
    assert.equal((await ask({ cnpj: registeredIn('SP'), ie: '' })).status, 200)
  })
})

testWhoAsksFirst(() => house, PATH)

test('402: all that a call may cost is held, and calls at once never spend it twice', async () => {
  const { key, conta } = await house.open('lite')
  const answers = await Promise.all([1, 2, 3, 4].map(() => ask({ cnpj: reservado('demorado') }, key)))
  const refused = answers.filter(({ status }) => status === 402)
  assert.equal(refused.length, 1)
  assert.equal(refused[0]?.body.error_code, 'LIMITE_ATINGIDO')
  assert.deepEqual([refused[0]?.body.required, refused[0]?.body.remaining], [27, 19])
  const charged = answers.map(({ headers }) => Number(headers.get('x-credits-charged')))
  const { cota } = await house.rooms.platform.ledger.saldo(conta)
  assert.equal(cota, 100 - charged.reduce((sum, one) => sum + one))
})

testOwnFailure(`${PATH}?cpf=${CPF}`, 'retencoes')

test('an answer of all states is reused where each that answered had told it before the call', () => {
  const at = (...instants: string[]) =>
    areGuardadas(
      instants.map((consultado_em) => ({
        source_status:
          consultado_em === '' ? { ...success, status: 'error', error_code: 'SITE_INDISPONIVEL' } : success,
        consultado_em,
      })),
      Date.parse('2026-11-14T15:00:00Z'),
    )
  const [before, since] = ['2026-11-14T14:59:59Z', '2026-11-14T15:00:00Z']
  assert.deepEqual([at(before, '', before), at(before, since), at(''), at()], [true, false, false, false])
})
