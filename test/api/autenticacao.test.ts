import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { issueKey } from '../../src/contas/chave.ts'
import { type Answer, BANCO_DO_BRASIL, type House, start } from '../harness.ts'
import { NOW } from '../now.ts'

let house: House
let now = NOW
before(async () => {
  house = await start({}, () => now)
})
after(() => house.close())

const PATH = `/api/consultar-cnpj?cnpj=${BANCO_DO_BRASIL}`
const withoutIds = ({ body }: Answer) => ({ ...body, request_id: '', instance: '' })

test('401: a missing, malformed, unknown and revoked key get the same answer', async () => {
  const { conta, key: revoked } = await house.open('lite')
  await issueKey(house.ctx.store.db, house.ctx.store.secret, conta.id, { now: now })
  const unknown = `${house.apiKey?.slice(0, -7)}0000000`
  const answers = await Promise.all(
    [null, 'x', 'á', unknown, revoked, `${house.apiKey} `, 'fk_'].map((key) =>
      house.ask(PATH, { key: key && encodeURIComponent(key) }),
    ),
  )
  for (const answer of answers.slice(0, 5)) {
    assert.equal(answer.status, 401)
    assert.equal(answer.body.error_code, 'NAO_AUTENTICADO')
    assert.match(answer.headers.get('www-authenticate') ?? '', /ApiKey/)
    assert.deepEqual(withoutIds(answer), withoutIds(Object(answers[0])))
  }
})

test('401: a key in the URL is refused', async () => {
  for (const name of ['X-API-Key', 'x-api-key', 'api_key', 'apikey']) {
    for (const key of [null, house.apiKey ?? '']) {
      const { status } = await house.ask(`${PATH}&${name}=${house.apiKey}`, { key })
      assert.equal(status, 401, `${name}, ${key ? 'and a good header' : 'alone'}`)
    }
  }
})

test('401 comes before everything else about the request', async () => {
  const { status, body } = await house.ask('/api/consultar-cnpj?force_fresh=x', { key: null })
  assert.equal(status, 401)
  assert.equal(body.error_code, 'NAO_AUTENTICADO')
})

test('a regenerated key ends the old one within five seconds on every node', async () => {
  const { conta, key } = await house.open('lite')
  assert.equal((await house.ask(PATH, { key })).status, 200)
  const fresh = await issueKey(house.ctx.store.db, house.ctx.store.secret, conta.id, { now })
  now = new Date(now.getTime() + 5_000)
  assert.equal((await house.ask(PATH, { key })).status, 401)
  assert.equal((await house.ask(PATH, { key: fresh })).status, 200)
})

test('an old key lives through the grace that its owner chose', async () => {
  const { conta, key } = await house.open('lite')
  const fresh = await issueKey(house.ctx.store.db, house.ctx.store.secret, conta.id, {
    carenciaHoras: 24,
    now,
  })
  now = new Date(now.getTime() + 23 * 3_600_000)
  assert.equal((await house.ask(PATH, { key })).status, 200)
  now = new Date(now.getTime() + 3_600_000)
  assert.equal((await house.ask(PATH, { key })).status, 401)
  assert.equal((await house.ask(PATH, { key: fresh })).status, 200)
})
