import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { semPausas } from '../kit/authority.ts'
import {
  anew,
  faultsOfDocuments,
  type House,
  newClock,
  queriesTo,
  start,
  testFaults,
  testOwnFailure,
  testWhoAsksFirst,
  UNKNOWN,
} from '../kit/house.ts'
import { entriesOf, parseEvents, succeeded } from '../kit/portal.ts'
import { ABSENT, CNPJ, CPF, creditsOf, entriesIn, NOBODY, PATH, sectionsOf } from '../kit/rural.ts'
import { reservado } from '../kit/simulator.ts'

/** A host of the simulator: registrations of AM. */
const AM = 'nfe.sefaz.am.gov.br'
const { now, pass } = newClock()
let house: House
before(async () => {
  house = await start({ IE_SECONDS: '6', CND_SECONDS: '10', ...(await semPausas()) }, now)
})
after(() => house.close())

const ask = (parametros: Record<string, string>, options: RequestInit & { key?: string } = {}) =>
  house.ask(`${PATH}?${new URLSearchParams(parametros)}`, options)

test('its parts share the caches of the lookups: what these asked, the profile does not ask again', async () => {
  await Promise.all(
    ['consultar-ie-todos', 'consultar-cnd-todos'].map((name) => house.ask(`/api/${name}?cnpj=${CNPJ}`)),
  )
  const before = await queriesTo(house, AM)
  pass(61_000)
  const { headers } = await ask({ cnpj: CNPJ })
  assert.equal(await queriesTo(house, AM), before)
  assert.equal(headers.get('age'), '61')
})

test('a company asked anew: its sections are what the lookups answer, and it pays their sum', async () => {
  const { key, conta } = await house.open('starter')
  const before = await queriesTo(house, AM)
  const answer = await ask({ cnpj: CNPJ }, { ...anew, key })
  assert.equal(answer.headers.get('age'), '0')
  assert.ok((await queriesTo(house, AM)) > before, 'asking anew reaches the states')
  assert.equal(answer.status, 200)
  assert.deepEqual(Object.keys(answer.body), [
    'request_id',
    'document',
    'receita_federal',
    'inscricoes_estaduais',
    'cnd_estaduais',
    'avisos',
  ])
  assert.deepEqual(answer.body.avisos, [])
  const { request_id } = answer.body
  assert.equal(answer.body.document, CNPJ)
  const { receita_federal, inscricoes_estaduais, cnd_estaduais } = sectionsOf(answer)

  const empresa = await house.ask(`/api/consultar-cnpj?cnpj=${CNPJ}`)
  const { fonte: _, consultado_em: __, avisos: ___, ...cadastro } = empresa.body
  assert.deepEqual(receita_federal, { ...cadastro, request_id })
  assert.equal(answer.headers.get('x-base-cnpj'), empresa.headers.get('x-base-cnpj'))
  const { cached_ufs, ...inscricoes } = (await house.ask(`/api/consultar-ie-todos?cnpj=${CNPJ}`)).body
  assert.deepEqual(inscricoes_estaduais, { ...inscricoes, request_id })
  const certidoes = await house.ask(`/api/consultar-cnd-todos?cnpj=${CNPJ}`)
  assert.deepEqual(cnd_estaduais, { ...certidoes.body, request_id })

  const sum = 1 + [inscricoes, certidoes.body].flatMap((part) => succeeded(entriesOf(part))).length
  assert.ok(sum > 40, String(sum))
  assert.equal(creditsOf(answer), String(sum))
  assert.equal((await house.rooms.platform.ledger.saldo(conta)).cota, 1000 - sum)
})

test('a CPF has no receita_federal, and holds and pays no credit for it', async () => {
  const answer = await ask({ cpf: CPF })
  assert.equal(answer.status, 200)
  assert.equal(answer.body.document, CPF)
  assert.equal(answer.body.receita_federal, null)
  assert.equal(answer.headers.get('x-base-cnpj'), null)
  const [ie, cnd] = ['inscricoes_estaduais', 'cnd_estaduais'].map((name) => entriesIn(answer, name))
  assert.equal(Object(answer.body.cnd_estaduais).document_type, 'cpf')
  assert.equal(creditsOf(answer), String(succeeded([...(ie ?? []), ...(cnd ?? [])]).length))
})

test('where both documents are sent, the CNPJ is meant', async () => {
  const { body } = await ask({ cpf: CPF, cnpj: CNPJ })
  assert.equal(body.document, CNPJ)
  assert.equal(Object(body.receita_federal).cnpj, CNPJ)
})

describe('a null section costs nothing', () => {
  test('receita_federal: the base lacks the company', async () => {
    const answer = await ask({ cnpj: ABSENT })
    assert.equal(answer.status, 200)
    const { receita_federal, inscricoes_estaduais, cnd_estaduais } = sectionsOf(answer)
    assert.equal(receita_federal, null)
    const entries = [inscricoes_estaduais, cnd_estaduais].flatMap((one) => entriesOf(one ?? {}))
    assert.equal(creditsOf(answer), String(succeeded(entries).length))
  })

  test('inscricoes_estaduais: states answered, and none gave a registration', async () => {
    const answer = await ask({ cnpj: NOBODY })
    assert.equal(answer.status, 200)
    assert.deepEqual([answer.body.receita_federal, answer.body.inscricoes_estaduais], [null, null])
    const [empresa, inscricoes, ...others] = Object(answer.body.avisos)
    assert.equal(empresa, 'receita_federal: a base do mês não tem este CNPJ.')
    assert.match(
      inscricoes,
      /^inscricoes_estaduais: nenhuma inscrição nos estados que responderam \(\d+ de 27\)/,
    )
    assert.deepEqual([others, answer.headers.get('retry-after')], [[], null])
    assert.equal(creditsOf(answer), String(succeeded(entriesIn(answer, 'cnd_estaduais')).length))
  })

  test('cnd_estaduais: no state answered within CND_TODOS_SECONDS, while the registrations came', async (t) => {
    const own = await start({ CND_TODOS_SECONDS: '2', CND_SECONDS: '30' })
    t.after(own.close)
    const { text } = await own.ask(`${PATH}?cnpj=${reservado('cnd-lenta')}`, {
      headers: { accept: 'text/event-stream' },
    })
    const events = parseEvents(text)
    const statuses = events.filter(({ id }) => id?.startsWith('cnd_')).map(({ data }) => statusOf(data))
    assert.equal(statuses.length, 27)
    assert.ok(statuses.includes('timeout') && !statuses.includes('success'), statuses.join())
    const resultado = Object(events.at(-1)?.data)
    assert.equal(resultado.cnd_estaduais, null)
    const { results } = resultado.inscricoes_estaduais
    const cobrados = succeeded(results).length
    assert.deepEqual(events.at(-2)?.data, { cobrados, restantes: 10_000 - cobrados })
  })
})

const statusOf = (data: unknown): string => Object(data).source_status.status

describe('400', () => {
  testFaults(() => house, PATH, faultsOfDocuments)
})

testWhoAsksFirst(() => house, PATH)

for (const [document, most] of [
  [{ cnpj: UNKNOWN }, 55],
  [{ cpf: CPF }, 54],
] as const)
  test(`402: a profile holds ${most} at most`, async () => {
    const { key, conta } = await house.open('lite')
    const spent = { conta, request_id: crypto.randomUUID(), endpoint: 'teste', creditos: 101 - most }
    await house.rooms.platform.ledger.charge(spent)
    const { status, body } = await ask(document, { key })
    assert.equal(status, 402)
    assert.equal(body.error_code, 'LIMITE_ATINGIDO')
    assert.deepEqual([body.required, body.remaining], [most, most - 1])
  })

testOwnFailure(`${PATH}?cpf=${CPF}`, 'retencoes')
