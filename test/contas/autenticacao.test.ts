import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { formatApiKey } from '../../src/contas/rules.ts'
import { issueKey } from '../../src/contas/store-chaves.ts'
import { NOW } from '../kit/basics.ts'
import { type Answer, BANCO_DO_BRASIL, type House, start } from '../kit/house.ts'

let house: House
let now = NOW
before(async () => {
  house = await start({}, () => now)
})
after(() => house.close())

const PATH = `/api/consultar-cnpj?cnpj=${BANCO_DO_BRASIL}`
const withoutIds = ({ body }: Answer) => ({ ...body, request_id: '', instance: '' })

test('401: a malformed, unknown and revoked key get the same answer, which is not that of no key', async () => {
  const { conta, key: revoked } = await house.open('lite')
  await issueKey(house.rooms.platform.db, house.rooms.platform.secret, conta.id, { now: now })
  const unknown = `${house.apiKey?.slice(0, -7)}0000000`
  const kinds = [unknown, revoked, 'x', 'á', 'fk_', 'a.b.c']
  const answers = await Promise.all(kinds.map((key) => house.ask(PATH, { key: encodeURIComponent(key) })))
  for (const answer of answers) {
    assert.equal(answer.status, 401)
    assert.equal(answer.body.error_code, 'NAO_AUTENTICADO')
    assert.match(answer.headers.get('www-authenticate') ?? '', /ApiKey/)
    assert.match(String(answer.body.detail), /não é reconhecid/)
    assert.deepEqual(withoutIds(answer), withoutIds(Object(answers[0])))
  }
})

test('401: each way to send a key wrongly gets a sentence of its own, and the same work is done', async (t) => {
  const { key: good } = await house.open('lite')
  const bad = formatApiKey(crypto.getRandomValues(new Uint8Array(64)))
  // Neither sentence nor work may tell whether the key is somebody's.
  const ways = (key: string): Record<string, [path: string, headers: Record<string, string>, RegExp]> => ({
    nothing: [PATH, {}, /^Envie a chave de API/],
    basic: [PATH, { authorization: 'Basic eDp5' }, /^Envie a chave de API/],
    bearer: [PATH, { authorization: `Bearer ${key}` }, /veio no cabeçalho Authorization/],
    'no scheme': [PATH, { authorization: key }, /veio no cabeçalho Authorization/],
    query: [`${PATH}&api_key=${key}`, {}, /não são aceitos na URL/],
    'another name': [`${PATH}&chave=${key}`, {}, /não são aceitos na URL/],
    'query and bearer': [`${PATH}&x=${key}`, { authorization: `Bearer ${key}` }, /não são aceitos na URL/],
  })
  const looks = t.mock.method(house.rooms.contas.keys, 'find')
  for (const key of [good, bad])
    for (const [way, [path, headers, sentence]] of Object.entries(ways(key))) {
      looks.mock.resetCalls()
      const { status, body, headers: sent } = await house.ask(path, { key: null, headers })
      assert.deepEqual([status, body.error_code], [401, 'NAO_AUTENTICADO'], way)
      assert.match(String(body.detail), sentence, way)
      assert.equal(body.error_message, body.detail, way)
      assert.ok(sent.has('www-authenticate'), way)
      assert.ok(!JSON.stringify(body).includes(key.slice(4)), `${way}: the answer repeats the key`)
      assert.equal(looks.mock.callCount(), 1, way)
    }
})

test('401: a key in the URL is refused', async () => {
  for (const name of ['X-API-Key', 'x-api-key', 'api_key', 'apikey']) {
    for (const key of [null, 'x', house.apiKey ?? '']) {
      const { status, body } = await house.ask(`${PATH}&${name}=${house.apiKey}`, { key })
      assert.equal(status, 401, `${name}, ${key ? 'and a header' : 'alone'}`)
      assert.match(String(body.detail), /não são aceitos na URL/)
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
  const fresh = await issueKey(house.rooms.platform.db, house.rooms.platform.secret, conta.id, { now })
  now = new Date(now.getTime() + 5_000)
  assert.equal((await house.ask(PATH, { key })).status, 401)
  assert.equal((await house.ask(PATH, { key: fresh })).status, 200)
})

test('an old key lives through the grace that its owner chose', async () => {
  const { conta, key } = await house.open('lite')
  const fresh = await issueKey(house.rooms.platform.db, house.rooms.platform.secret, conta.id, {
    carenciaHoras: 24,
    now,
  })
  now = new Date(now.getTime() + 23 * 3_600_000)
  assert.equal((await house.ask(PATH, { key })).status, 200)
  now = new Date(now.getTime() + 3_600_000)
  assert.equal((await house.ask(PATH, { key })).status, 401)
  assert.equal((await house.ask(PATH, { key: fresh })).status, 200)
})
