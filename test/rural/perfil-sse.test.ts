import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { success } from '../../src/platform/wire/source-status.ts'
import { creditosDaParte } from '../../src/rural/lookup-perfil.ts'
import { type House, start } from '../kit/house.ts'
import { entriesOf, parseEvents, succeeded } from '../kit/portal.ts'
import { CNPJ, PATH, sectionsOf } from '../kit/rural.ts'
import { reservado } from '../kit/simulator.ts'

const headers = { accept: 'text/event-stream' }
/** The answers about this document come after two seconds, but those that were kept. */
const LATE = reservado('demorado')

let house: House
before(async () => {
  house = await start({ IE_SECONDS: '4', CND_SECONDS: '4' })
})
after(() => house.close())

test('an event for the company and for each state of both sections, then the credits, then the body that JSON has', async () => {
  const { key } = await house.open('starter')
  const json = await house.ask(`${PATH}?cnpj=${CNPJ}`, { key })
  const stream = await house.ask(`${PATH}?cnpj=${CNPJ}`, { key, headers })
  const events = parseEvents(stream.text)
  assert.deepEqual(
    events.map(({ event }) => event),
    [...Array(55).fill('secao'), 'creditos', 'resultado'],
  )
  const body = Object(events.at(-1)?.data)
  const request_id = stream.headers.get('x-request-id')
  const [sent, asked] = [sectionsOf({ body }), sectionsOf(json)]
  for (const [name, section] of Object.entries(asked))
    assert.deepEqual(sent[name], { ...section, request_id }, name)
  assert.equal(stream.headers.get('x-base-cnpj'), json.headers.get('x-base-cnpj'))

  const pieces = events.slice(0, 55).map(({ id, data }) => ({ id, data: Object(data) }))
  assert.equal(new Set(pieces.map(({ id }) => id)).size, 55)
  for (const { id, data } of pieces) {
    const { secao, uf, ...piece } = data
    if (secao === 'receita_federal') {
      assert.deepEqual([id, uf, piece], ['receita_federal', '', sent.receita_federal])
    } else {
      assert.equal(id, `${secao}/${uf}`)
      const entry = entriesOf(sent[secao] ?? {}).find((one) => one.uf === uf)
      assert.deepEqual({ uf, ...piece }, entry)
    }
  }
  assert.deepEqual(
    Number(json.headers.get('x-credits-charged')),
    Object(events.at(-2)?.data).cobrados,
    'the same price',
  )
})

test('who leaves pays for what arrived and would be charged: the company, states with a registration, certificates', async () => {
  const { key, conta } = await house.open('starter')
  const kept = await Promise.all([
    house.ask(`/api/consultar?uf=SP&cnpj=${LATE}`),
    house.ask(`/api/consultar-cnd?uf=MS&cnpj=${LATE}`),
  ])
  assert.deepEqual(
    kept.map(({ status }) => status),
    [200, 200],
  )
  const leaving = new AbortController()
  const response = await fetch(`${house.address}${PATH}?cnpj=${LATE}`, {
    headers: { ...headers, 'X-API-Key': key },
    signal: leaving.signal,
  })
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
  let text = ''
  while (!text.includes('id: inscricoes_estaduais/SP\n') || !text.includes('id: cnd_estaduais/MS\n')) {
    const { done, value } = (await reader?.read()) ?? { done: true, value: '' }
    assert.ok(!done, text)
    text += value
  }
  leaving.abort()
  const paid = parseEvents(text.slice(0, text.lastIndexOf('\n\n')))
    .map(({ data }) => Object(data))
    .filter(({ secao, results }) => secao !== 'inscricoes_estaduais' || results.length > 0)
  const expected = succeeded(paid).length
  for (;;) {
    const charge = (await house.rooms.platform.ledger.extrato(conta.id)).find(({ tipo }) => tipo === 'charge')
    if (charge) {
      assert.equal(charge.creditos, expected)
      break
    }
    await new Promise(setImmediate)
  }
})

test('a state without a registration is not among what a leaver pays: the section may yet be null', () => {
  const piece = { secao: 'inscricoes_estaduais', uf: 'SP', source_status: success } as const
  const entry = { ...piece, fonte: 'SP/ie', consultado_em: '', avisos: [] }
  assert.equal(creditosDaParte({ ...entry, results: [] }), 0)
})

test('what is wrong before the first event is a problem, as always', async () => {
  const wrong = await house.ask(PATH, { headers })
  assert.deepEqual([wrong.status, wrong.body.error_code], [400, 'PARAMETRO_AUSENTE'])
  assert.equal((await house.ask(`${PATH}?cnpj=${CNPJ}`, { key: null, headers })).status, 401)
})
