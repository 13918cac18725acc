import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { ufs } from '../../src/documento/uf.ts'
import { estadoOf } from '../../src/estados/estado.ts'
import { semPausas } from '../kit/authority.ts'
import { NOW } from '../kit/basics.ts'
import {
  faultsOfDocuments,
  type House,
  start,
  testFaults,
  testOwnFailure,
  testWhoAsksFirst,
  UNKNOWN,
} from '../kit/house.ts'
import {
  CERTIFIES_ANY_CPF,
  checkRetryable,
  DEAD,
  type Entry,
  entriesOf,
  SLOW,
  succeeded,
} from '../kit/portal.ts'
import { reservado } from '../kit/simulator.ts'

const PATH = '/api/consultar-cnd-todos'
/** Nobody knows how to ask these states' pages of certificates. */
const SEM_PROTOCOLO: readonly string[] = ufs.filter((uf) =>
  estadoOf(uf).cnd.every(({ certeza }) => certeza === 'desconhecido'),
)
/**
 * This state's page wants the registration. Only the national register tells it, at the host of BA, which is
 * dead here.
 */
const SEM_NUMERO = ['PA']
/** Nobody knows how to ask the new page of these states, so the old one answers. */
const ANTIGAS = new Map([
  ['AP', 'AP/cnd-antiga'],
  ['RJ', 'RJ/cnd-antiga'],
])
const CPF = '52998224725'

let house: House
before(async () => {
  house = await start({ IE_SECONDS: '10', CND_SECONDS: '16', ...(await semPausas()) })
})
after(() => house.close())

/** States whose certificate leaves a part of the debts out, as their files say. */
const PARCIAIS: readonly string[] = ['GO', 'MA', 'PI', 'RJ', 'SP']

const ask = (parametros: Record<string, string>, key?: string) =>
  house.ask(`${PATH}?${new URLSearchParams(parametros)}`, key ? { key } : {})

test('dead, slow and unknown states have no result: the others have theirs, in alphabetical order, and only they are paid for', async () => {
  const { key } = await house.open('lite')
  // The slow states never answer, so the answer comes only because the service gives them up.
  const { status, headers, body } = await ask({ cnpj: reservado('misto') }, key)
  assert.equal(status, 200)
  assert.deepEqual(Object.keys(body), ['request_id', 'document', 'document_type', 'results'])
  const entries = entriesOf(body)
  assert.deepEqual(
    entries.map(({ uf }) => uf),
    [...ufs],
  )
  for (const { uf, source_status, result, ...others } of entries) {
    const respondeu = succeeded(entries).includes(uf)
    const fonte = respondeu ? (ANTIGAS.get(uf) ?? `${uf}/cnd`) : ''
    const consultado_em = respondeu ? NOW.toISOString() : ''
    const avisos =
      respondeu && PARCIAIS.includes(uf) ? [new RegExp(`^Esta certidão de ${uf} abrange só`)] : []
    assert.deepEqual([others.fonte, others.consultado_em], [fonte, consultado_em])
    assert.equal(others.avisos.length, avisos.length, String(others.avisos))
    for (const [at, aviso] of avisos.entries()) assert.match(others.avisos[at] ?? '', aviso)
    const { status, error_code, retryable } = source_status
    const passa = [...SEM_NUMERO, ...DEAD, ...SLOW].includes(uf) && !SEM_PROTOCOLO.includes(uf)
    assert.equal(retryable, passa, uf)
    if ([...SEM_PROTOCOLO, ...SEM_NUMERO, ...DEAD].includes(uf))
      assert.deepEqual([status, error_code], ['error', 'SITE_INDISPONIVEL'], uf)
    else if (SLOW.includes(uf)) assert.deepEqual([status, error_code], ['timeout', 'SITE_INDISPONIVEL'], uf)
    else assert.deepEqual([status, error_code, result?.status], ['success', '', 'negativa'], uf)
    if (status !== 'success') assert.equal(result, null, uf)
  }
  checkRetryable(entries)
  assert.equal(headers.get('retry-after'), null)
  const wrong = new Set([...SEM_PROTOCOLO, ...SEM_NUMERO, ...DEAD, ...SLOW])
  const paid = 27 - wrong.size
  assert.equal(succeeded(entries).length, paid)
  assert.equal(headers.get('x-credits-charged'), String(paid))
  assert.equal(headers.get('x-credits-remaining'), String(100 - paid))
})

test('a state whose answer cannot be used says erro in its result, and nobody pays for it', async () => {
  const { headers, body } = await ask({ cnpj: reservado('cnd-pdf-de-outro') })
  const entries = entriesOf(body)
  const { source_status, result, fonte } = entries.find(({ uf }) => uf === 'GO') ?? {}
  assert.equal(fonte, 'GO/cnd')
  assert.equal(source_status?.error_code, 'PROCESSAMENTO_FALHOU')
  assert.equal(source_status.retryable, false)
  assert.deepEqual([result?.status, result?.status_raw], ['erro', ''])
  assert.equal(headers.get('x-credits-charged'), String(succeeded(entries).length))
})

test('where both documents are sent, the CNPJ is meant', async () => {
  const { body } = await ask({ cpf: CPF, cnpj: UNKNOWN })
  assert.deepEqual([body.document, body.document_type], [UNKNOWN, 'cnpj'])
})

describe('a CPF is a document too', () => {
  let entries: Entry[]
  before(async () => {
    const { body } = await ask({ cpf: CPF })
    assert.deepEqual([body.document, body.document_type], [CPF, 'cpf'])
    entries = entriesOf(body)
  })

  for (const uf of CERTIFIES_ANY_CPF)
    test(`${uf}: nobody can tell who is not registered there, and avisos says so`, () => {
      const { result, avisos = [] } = entries.find((entry) => entry.uf === uf) ?? {}
      assert.equal(result?.status, 'negativa')
      assert.equal(avisos.length, PARCIAIS.includes(uf) ? 2 : 1)
      assert.match(avisos[0] ?? '', new RegExp(`^Não se sabe se este CPF tem inscrição estadual em ${uf}`))
    })

  test('elsewhere who is not registered is no taxpayer, in our words and not in the authority’s', () => {
    const none = entries.filter(({ result }) => result?.status === 'nao_contribuinte')
    assert.ok(none.length > 5)
    for (const { uf, result, fonte, avisos } of none) {
      if (fonte.endsWith('/cnd')) continue
      assert.equal(result?.status_raw, '')
      assert.match(
        String(avisos),
        new RegExp(`^Contribuinte sem inscrição estadual em ${uf}: quem o disse foi `),
      )
    }
  })

  test('both endpoints say in their descriptions of which states that is', async () => {
    const { body } = await house.ask('/openapi.json', { key: null })
    for (const path of [PATH, '/api/consultar-cnd']) {
      const { description } = Object(body.paths)[path].get
      assert.ok(
        description.includes(`Por CPF, em ${CERTIFIES_ANY_CPF.join(', ')} nenhuma consulta`),
        description,
      )
    }
  })
})

describe('400', () => {
  testFaults(() => house, PATH, faultsOfDocuments)
})

testWhoAsksFirst(() => house, PATH)

test('402: the most that the call may cost must be there', async () => {
  const { key, conta } = await house.open('lite')
  await house.rooms.platform.ledger.charge({
    conta,
    request_id: 'quase-tudo',
    endpoint: 'teste',
    creditos: 74,
  })
  const { status, body } = await ask({ cpf: CPF }, key)
  assert.equal(status, 402)
  assert.deepEqual([body.required, body.remaining], [27, 26])
})

testOwnFailure(`${PATH}?cpf=${CPF}`, 'retencoes')
