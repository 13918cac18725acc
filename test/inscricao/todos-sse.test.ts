import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { pausa } from '../kit/basics.ts'
import { type House, loseTable, queriesTo, start } from '../kit/house.ts'
import { entriesOf, listenTo, parseEvents, succeeded } from '../kit/portal.ts'
import { reservado } from '../kit/simulator.ts'

const IE = '/api/consultar-ie-todos'
const CND = '/api/consultar-cnd-todos'
const CNPJ = '99001002000162'
const headers = { accept: 'text/event-stream' }

let house: House
before(async () => {
  house = await start()
})
after(() => house.close())

/** Waits until the account's first call is settled. Gives the credits that it charged. */
async function settled(conta: { id: string }): Promise<number> {
  for (;;) {
    const entries = await house.rooms.platform.ledger.extrato(conta.id)
    const charge = entries.find(({ tipo }) => tipo === 'charge')
    if (charge) return charge.creditos
    await pausa()
  }
}

for (const [path, shape] of [
  [IE, ['uf', 'source_status', 'results', 'fonte', 'consultado_em', 'avisos']],
  [CND, ['uf', 'source_status', 'result', 'fonte', 'consultado_em', 'avisos']],
] as const) {
  describe(path, () => {
    test('an event for each state, then the credits, then the body that JSON has', async () => {
      const { key } = await house.open('starter')
      await house.ask(`${path}?cnpj=${CNPJ}`, { key })
      const json = await house.ask(`${path}?cnpj=${CNPJ}`, { key })
      const stream = await house.ask(`${path}?cnpj=${CNPJ}`, { key, headers })
      assert.equal(stream.status, 200)
      const events = parseEvents(stream.text)
      assert.deepEqual(
        events.map(({ event }) => event),
        [...Array(27).fill('uf'), 'creditos', 'resultado'],
      )
      const whole = Object(events.at(-1)?.data)
      assert.deepEqual(whole, { ...json.body, request_id: stream.headers.get('x-request-id') })
      for (const { id, data } of events.slice(0, 27)) {
        assert.deepEqual(Object.keys(Object(data)), [...shape])
        assert.deepEqual(
          data,
          entriesOf(whole).find(({ uf }) => uf === id),
        )
      }
      assert.equal(new Set(events.slice(0, 27).map(({ id }) => id)).size, 27)
      const cobrados = succeeded(entriesOf(whole)).length
      assert.equal(String(cobrados), json.headers.get('x-credits-charged'))
      const restantes = Number(json.headers.get('x-credits-remaining')) - cobrados
      assert.deepEqual(events.at(-2)?.data, { cobrados, restantes })
    })

    test('what is wrong before the first event is a problem, as always', async () => {
      const { key, conta } = await house.open('lite')
      const wrong = await house.ask(path, { key, headers })
      assert.equal(wrong.status, 400)
      assert.equal(wrong.body.error_code, 'PARAMETRO_AUSENTE')
      assert.match(wrong.headers.get('content-type') ?? '', /^application\/problem\+json/)
      assert.equal((await house.ask(`${path}?cnpj=${CNPJ}`, { key: null, headers })).status, 401)
      await house.rooms.platform.ledger.charge({
        conta,
        request_id: crypto.randomUUID(),
        endpoint: 'teste',
        creditos: 80,
      })
      const poor = await house.ask(`${path}?cnpj=${CNPJ}`, { key, headers })
      assert.equal(poor.status, 402)
      assert.equal(poor.body.error_code, 'LIMITE_ATINGIDO')
    })
  })
}

test('a stream is not compressed, not kept by a proxy, and tells its credits in an event only', async () => {
  const stream = await house.ask(`${IE}?cnpj=${CNPJ}`, { headers: { ...headers, 'accept-encoding': 'gzip' } })
  assert.equal(stream.headers.get('content-type'), 'text/event-stream; charset=utf-8')
  assert.equal(stream.headers.get('content-encoding'), null)
  assert.equal(stream.headers.get('x-accel-buffering'), 'no')
  assert.equal(stream.headers.get('cache-control'), 'no-store')
  assert.equal(stream.headers.get('x-credits-charged'), null)
  assert.equal(stream.headers.get('x-ambiente'), 'simulador')
  assert.ok(stream.headers.get('ratelimit'))
})

test('JSON is for who names no stream, and elsewhere there is none', async () => {
  for (const accept of ['*/*', 'application/json', 'text/event-stream;q=0.5, application/json']) {
    const { headers: answered } = await house.ask(`${IE}?cnpj=${CNPJ}`, { headers: { accept } })
    assert.match(answered.get('content-type') ?? '', /^application\/json/, accept)
  }
  const one = await house.ask(`/api/consultar?uf=SP&cnpj=${CNPJ}`, { headers })
  assert.match(one.headers.get('content-type') ?? '', /^application\/json/)
})

// The answer about this document is late, so the two states that are in the cache come first.
const LATE = reservado('demorado')

test('a state arrives before those that take longer; who leaves then pays for what arrived', async () => {
  const { key, conta } = await house.open('lite')
  await Promise.all(['SP', 'MG'].map((uf) => house.ask(`/api/consultar?uf=${uf}&cnpj=${LATE}`)))
  const stream = await listenTo(house, `${IE}?cnpj=${LATE}`, key)
  const text = await stream.until(['id: SP\n', 'id: MG\n'])
  assert.doesNotMatch(text, /id: PR\n|event: creditos/)
  stream.leave()
  assert.equal(await settled(conta), 2)
  assert.equal((await house.rooms.platform.ledger.saldo(conta)).cota, 98)
})

test('what a client that left had asked goes on, and answers who asks next', async () => {
  const before = await queriesTo(house, 'nfe.sefaz.am.gov.br')
  const { body } = await house.ask(`${IE}?cnpj=${LATE}`)
  assert.ok(succeeded(entriesOf(body)).includes('AM'))
  assert.equal(await queriesTo(house, 'nfe.sefaz.am.gov.br'), before)
})

test('a failure after the first event is the event erro, with the problem, and nothing is charged', async () => {
  const broken = await start()
  const { key, conta } = await broken.open('lite')
  await broken.ask(`/api/consultar?uf=SP&cnpj=${LATE}`)
  const stream = await listenTo(broken, `${IE}?cnpj=${LATE}`, key)
  await stream.until(['id: SP\n'])
  await loseTable(broken, 'retencoes')
  const { event, data } =
    parseEvents(await stream.until(['event: erro', '"request_id"', '}\n\n'])).at(-1) ?? {}
  assert.equal(event, 'erro')
  assert.equal(Object(data).error_code, 'ERRO_INTERNO')
  assert.equal(Object(data).status, 500)
  assert.equal(Object(data).retryable, true)
  assert.equal(
    (await broken.rooms.platform.ledger.extrato(conta.id)).filter(({ tipo }) => tipo === 'charge').length,
    0,
  )
  await broken.close()
})
