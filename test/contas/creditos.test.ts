import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { NOW } from '../kit/basics.ts'
import { BANCO_DO_BRASIL, type House, start, UNKNOWN, WRONG_DIGIT } from '../kit/house.ts'
import { reservado } from '../kit/simulator.ts'

let house: House
let now = NOW
before(async () => {
  house = await start({}, () => now)
})
after(() => house.close())

const PATH = `/api/consultar-cnpj?cnpj=${BANCO_DO_BRASIL}`

/** Leaves the account with this many credits. */
async function leave(conta: { id: string; plano: 'lite' }, creditos: number): Promise<void> {
  const { cota } = await house.rooms.platform.ledger.saldo(conta)
  const request_id = crypto.randomUUID()
  await house.rooms.platform.ledger.charge({
    conta,
    request_id,
    endpoint: 'teste',
    creditos: cota - creditos,
  })
}

async function openLite() {
  const { conta, key } = await house.open('lite')
  return { conta: { id: conta.id, plano: 'lite' as const }, key }
}

test('402 LIMITE_ATINGIDO: monthly quota exhausted and no extra credits', async () => {
  const { conta, key } = await openLite()
  await leave(conta, 0)
  const { status, body, headers } = await house.ask(PATH, { key })
  assert.equal(status, 402)
  assert.equal(body.error_code, 'LIMITE_ATINGIDO')
  assert.equal(body.required, 1)
  assert.equal(body.remaining, 0)
  assert.equal(body.resets_at, '2026-12-01T03:00:00.000Z')
  assert.equal(headers.get('x-credits-charged'), '0')
})

test('402 LIMITE_ATINGIDO: the live query costs 3, and 2 are left', async () => {
  const { conta, key } = await openLite()
  await leave(conta, 2)
  const { status, body } = await house.ask(`${PATH}&force_fresh=true`, { key })
  assert.equal(status, 402)
  assert.equal(body.required, 3)
  assert.equal(body.remaining, 2)
  assert.equal((await house.ask(PATH, { key })).status, 200)
})

test('a live query that fails gives its hold back', async () => {
  const { conta, key } = await openLite()
  await leave(conta, 3)
  const failing = `/api/consultar-cnpj?cnpj=${reservado('html-503')}&force_fresh=true`
  const { status, headers } = await house.ask(failing, { key })
  assert.equal(status, 502)
  assert.equal(headers.get('x-credits-remaining'), '3')
})

test('credits are checked before the lookup, parameters before credits', async () => {
  const { conta, key } = await openLite()
  await leave(conta, 0)
  assert.equal((await house.ask(`/api/consultar-cnpj?cnpj=${UNKNOWN}`, { key })).status, 402)
  assert.equal((await house.ask(`/api/consultar-cnpj?cnpj=${WRONG_DIGIT}`, { key })).status, 400)
})

test('extra credits are spent after the quota and outlive the month', async () => {
  const { conta, key } = await openLite()
  await leave(conta, 1)
  await house.rooms.platform.ledger.grant({
    conta_id: conta.id,
    creditos: 2,
    request_id: crypto.randomUUID(),
    motivo: 'teste',
  })
  for (const remaining of ['2', '1']) {
    assert.equal((await house.ask(PATH, { key })).headers.get('x-credits-remaining'), remaining)
  }
  now = new Date('2026-12-01T03:00:00Z')
  assert.equal((await house.ask(PATH, { key })).headers.get('x-credits-remaining'), '100')
  now = NOW
})

test('429 RATE_LIMIT_EXCEEDED: the plan allows 30 requests a minute, wrong ones included', async () => {
  const { key } = await openLite()
  const paths = Array.from({ length: 33 }, (_, i) => (i % 2 ? PATH : '/api/consultar-cnpj'))
  const answers = await Promise.all(paths.map((path) => house.ask(path, { key })))
  const refused = answers.filter(({ status }) => status === 429)
  assert.equal(refused.length, 3)
  for (const { body, headers } of refused) {
    assert.equal(body.error_code, 'RATE_LIMIT_EXCEEDED')
    assert.match(headers.get('retry-after') ?? '', /^[1-9]\d*$/)
    assert.equal(headers.get('x-ratelimit-remaining'), '0')
    assert.equal(headers.get('x-credits-charged'), '0')
  }
})

test('429 comes before 400 and 402', async () => {
  const { conta, key } = await openLite()
  await leave(conta, 0)
  await Promise.all(Array.from({ length: 30 }, () => house.ask(PATH, { key })))
  assert.equal((await house.ask(PATH, { key })).status, 429)
  assert.equal((await house.ask('/api/consultar-cnpj', { key })).status, 429)
})
