import assert from 'node:assert/strict'
import { createHmac, hkdfSync } from 'node:crypto'
import { after, before, test } from 'node:test'
import { blockConta } from '../../src/contas/store-contas.ts'
import { issueToken } from '../../src/contas/token.ts'
import { NOW } from '../kit/basics.ts'
import { newPostgres } from '../kit/databases.ts'
import { BANCO_DO_BRASIL, type House, start } from '../kit/house.ts'

let house: House
let now = NOW
before(async () => {
  house = await start({}, () => now)
})
after(() => house.close())

const PATH = `/api/consultar-cnpj?cnpj=${BANCO_DO_BRASIL}`

/** Opens a login of a new account, and makes a token of it. */
async function login({ rooms, open }: House, vidaMs?: number) {
  const { conta, key } = await open('starter')
  const novo = { conta_id: conta.id, tipo: 'api', agente: 'teste', endereco: '' } as const
  const { acesso } = await rooms.contas.acessos.open(novo)
  const { access_token } = await issueToken(rooms.contas, acesso, vidaMs)
  return { conta, key, acesso, token: access_token }
}

const bearer = (token: string, from: House = house, path = PATH) =>
  from.ask(path, { key: null, headers: { Authorization: `Bearer ${token}` } })

const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url')

/** A token whose parts are given, signed by `secret` as HS256 does. */
function forge(header: object, claims: object, secret: string | Buffer): string {
  const text = `${part(header)}.${part(claims)}`
  return `${text}.${createHmac('sha256', secret).update(text).digest('base64url')}`
}

/** The parts of a token. */
const read = (token: string) => {
  const [header = '', claims = '', signature = ''] = token.split('.')
  const json = (text: string) => JSON.parse(Buffer.from(text, 'base64url').toString())
  return { header: json(header), claims: json(claims), signature }
}

/** The key that the service signs with. */
const ownKey = () =>
  Buffer.from(hkdfSync('sha256', house.rooms.platform.secret, '', 'consulta-fiscal access tokens', 32))

test('a token of a login opens a keyed endpoint, with the limits and the credits of its account', async () => {
  const { token } = await login(house)
  const { status, headers } = await bearer(token)
  assert.equal(status, 200)
  assert.equal(headers.get('x-ratelimit-limit'), '60')
  assert.equal(headers.get('x-credits-remaining'), '999')
  assert.equal((await bearer(token, house, '/api/v1/conta')).body.plano, 'starter')
})

test('a token says whose it is, of which login, by whom and for whom, and nothing else', async () => {
  const { token, conta, acesso } = await login(house)
  const { header, claims } = read(token)
  assert.deepEqual(header, { alg: 'HS256', typ: 'JWT' })
  assert.deepEqual(claims, {
    sid: acesso.id,
    iss: 'consulta-fiscal',
    aud: 'consulta-fiscal/api',
    sub: conta.id,
    iat: NOW.getTime() / 1000,
    exp: NOW.getTime() / 1000 + 3600,
  })
})

test('both headers sent: the key wins', async () => {
  const { token } = await login(house)
  const { key } = await house.open('lite')
  const headers = { Authorization: `Bearer ${token}` }
  assert.equal((await house.ask('/api/v1/conta', { key, headers })).body.plano, 'lite')
  assert.equal((await house.ask('/api/v1/conta', { key: 'x', headers })).status, 401)
})

test('401: whatever is wrong with a token, the answer is that of a bad key', async () => {
  const { token } = await login(house)
  const { header, claims, signature } = read(token)
  const { exp: _, ...withoutEnd } = claims
  const { sid: __, ...withoutLogin } = claims
  const own = ownKey()
  assert.equal((await bearer(forge(header, claims, own))).status, 200, 'the forger knows the format')
  const kinds: Record<string, string> = {
    'alg none, unsigned': `${part({ alg: 'none', typ: 'JWT' })}.${part(claims)}.`,
    'alg none, with the signature': `${part({ alg: 'none', typ: 'JWT' })}.${part(claims)}.${signature}`,
    'another HMAC': forge({ alg: 'HS512', typ: 'JWT' }, claims, own),
    'an algorithm of public keys': forge({ alg: 'RS256', typ: 'JWT' }, claims, own),
    'a key of its own': forge({ ...header, jwk: { kty: 'oct', k: 'AAAA' } }, claims, Buffer.from([0, 0, 0])),
    'the secret itself': forge(header, claims, house.rooms.platform.secret),
    'a foreign secret': forge(header, claims, 'outro segredo de outro servidor, longo'),
    'an empty secret': forge(header, claims, ''),
    'a foreign issuer': forge(header, { ...claims, iss: 'outro' }, own),
    'a foreign audience': forge(header, { ...claims, aud: 'outro' }, own),
    'no audience': forge(header, { ...claims, aud: undefined }, own),
    'another type': forge({ ...header, typ: 'at+jwt' }, claims, own),
    'an unknown extension': forge({ ...header, crit: ['x'], x: 1 }, claims, own),
    'no end': forge(header, withoutEnd, own),
    'no login': forge(header, withoutLogin, own),
    'a login of nobody': forge(header, { ...claims, sid: '00000000-0000-0000-0000-000000000000' }, own),
    'a text as its time': forge(header, { ...claims, exp: 'sempre' }, own),
    'of yesterday': forge(header, { ...claims, exp: claims.iat - 1 }, own),
    'other claims under the signature': `${part(header)}.${part({ ...claims, sub: 'x' })}.${signature}`,
    'a cut signature': token.slice(0, -2),
    'two parts': token.split('.').slice(0, 2).join('.'),
    'no JSON': 'a.b.c',
    'very long': `${token.split('.')[0]}.${'A'.repeat(9_000)}.${signature}`,
  }
  const plain = await house.ask(PATH, { key: 'x' })
  const told = ({ body }: typeof plain) => ({ ...body, request_id: '', instance: '' })
  for (const [kind, forged] of Object.entries(kinds)) {
    const answer = await bearer(forged)
    assert.equal(answer.status, 401, kind)
    assert.deepEqual(told(answer), told(plain), kind)
    assert.equal(
      answer.headers.get('www-authenticate'),
      'ApiKey realm="consulta-fiscal", header="X-API-Key", Bearer realm="consulta-fiscal"',
    )
  }
  assert.match(String((await bearer('')).body.detail), /^Envie a chave/)
  const basic = await house.ask(PATH, { key: null, headers: { Authorization: `Basic ${token}` } })
  assert.equal(basic.status, 401)
})

test('a token ends after 60 minutes, or sooner where it was made so', async () => {
  now = NOW
  const { token } = await login(house)
  const short = await login(house, 60_000)
  now = new Date(NOW.getTime() + 59_000)
  assert.equal((await bearer(short.token)).status, 200)
  now = new Date(NOW.getTime() + 60_000)
  assert.equal((await bearer(short.token)).status, 401)
  now = new Date(NOW.getTime() + 3_599_000)
  assert.equal((await bearer(token)).status, 200)
  now = new Date(NOW.getTime() + 3_600_000)
  assert.equal((await bearer(token)).status, 401)
  now = NOW
})

test('401: a token that was read is none of a service with another secret', async (t) => {
  now = NOW
  const { token } = await login(house)
  const other = await start({ SERVER_SECRET: 'outro segredo, de outro serviço, longo' }, () => NOW)
  t.after(() => other.close())
  for (const [from, status] of [
    [house, 200],
    [other, 401],
    [house, 200],
  ] as const)
    assert.equal((await bearer(token, from)).status, status)
})

test('a login that was ended takes its tokens with it, within five seconds', async () => {
  now = NOW
  const { token, conta, acesso } = await login(house)
  assert.equal((await bearer(token)).status, 200)
  await house.rooms.contas.acessos.end(conta.id, acesso.id)
  now = new Date(NOW.getTime() + 5_000)
  assert.equal((await bearer(token)).status, 401)
  now = NOW
})

test('a blocked account is told so, with a token as with a key', async () => {
  now = NOW
  const { token, conta } = await login(house)
  await blockConta(house.rooms.platform.db, conta.id, { motivo: 'Fatura vencida.', now })
  const { status, body } = await bearer(token)
  assert.deepEqual([status, body.error_code], [403, 'CONTA_BLOQUEADA'])
})

test('401: a token in the URL is refused, also beside a good header', async () => {
  const { token, key } = await login(house)
  for (const query of [`access_token=${token}`, `Authorization=Bearer%20x`, `x=${token}`])
    for (const given of [null, key])
      assert.equal((await house.ask(`${PATH}&${query}`, { key: given })).status, 401, query.slice(0, 20))
})

test('refused tokens count with refused keys: after 60 in a minute, none is looked up', async (t) => {
  const own = await start({}, () => NOW)
  t.after(() => own.close())
  const { token } = await login(own)
  const { token: unseen } = await login(own)
  assert.equal((await bearer(token, own)).status, 200)
  for (let n = 0; n < 60; n++) await bearer('a.b.c', own)
  assert.equal((await bearer('a.b.c', own)).body.error_code, 'RATE_LIMIT_EXCEEDED')
  assert.equal((await bearer(unseen, own)).status, 429)
  assert.equal((await bearer(token, own)).status, 200, 'a login that was seen good still passes')
})

test('two nodes take each other’s tokens, and a login that one ends is over on the other', async (t) => {
  let instant = NOW
  const env = { DATABASE_URL: await newPostgres(), SERVER_SECRET: 'o mesmo segredo nos dois nós do serviço' }
  const nodes = [await start(env, () => instant), await start(env, () => instant)]
  t.after(() => Promise.all(nodes.map((node) => node.close())))
  const [first, second] = nodes
  assert.ok(first && second)
  const { token, conta, acesso } = await login(first)
  assert.equal((await bearer(token, second)).status, 200)
  await first.rooms.contas.acessos.end(conta.id, acesso.id)
  instant = new Date(NOW.getTime() + 5_000)
  assert.equal((await bearer(token, second)).status, 401)
})
