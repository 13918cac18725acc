import assert from 'node:assert/strict'
import { request } from 'node:http'
import { after, before, test } from 'node:test'
import { NOW } from '../kit/basics.ts'
import { argon2During } from '../kit/contas.ts'
import { type House, start } from '../kit/house.ts'

const ANA = { nome: 'Ana Souza', email: 'ana@exemplo.com.br', senha: 'uma frase bem longa' }

let house: House
let now = NOW
before(async () => {
  house = await start({}, () => now)
})
after(() => house.close())

/** Posts to an endpoint of accounts. */
const post = (path: string, body: object, { from = house, token = '' } = {}) =>
  from.ask(`/api/v1/auth/${path}`, {
    key: null,
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(token && { Authorization: `Bearer ${token}` }) },
    body: JSON.stringify(body),
  })

const conta = (token: string) =>
  house.ask('/api/v1/conta', { key: null, headers: { Authorization: `Bearer ${token}` } })

/** Each test has minutes of its own. */
const later = (ms: number): void => {
  now = new Date(now.getTime() + ms)
}

test('a person signs up, logs in, asks with the token, and logs out', async () => {
  const made = await post('registrar', ANA)
  assert.deepEqual([made.status, made.body.situacao], [200, 'criada'])
  assert.doesNotMatch(made.text, /fk_/, 'the key is shown on the page of settings alone')
  const { status, body, headers } = await post('login', { email: ' Ana@Exemplo.COM.br', senha: ANA.senha })
  assert.equal(status, 200)
  assert.equal(headers.get('cache-control'), 'no-store')
  const { access_token, request_id: _, ...rest } = body
  assert.deepEqual(rest, { token_type: 'Bearer', expires_in: 3600 })
  const token = String(access_token)
  assert.deepEqual([(await conta(token)).body.plano, (await conta(token)).body.nome], ['lite', 'Ana Souza'])
  assert.equal((await post('sair', {}, { token })).body.encerrados, 1)
  assert.equal((await conta(token)).status, 401, 'on this node at once')
})

test('an unknown e-mail and a wrong password get the same answer and cost one hash each', async () => {
  later(60_000)
  const answers: unknown[] = []
  for (const email of [ANA.email, 'ninguem@exemplo.com.br', 'ninguém', 'x'.repeat(2_000)]) {
    const runs = await argon2During(async () => {
      const { status, body, headers } = await post('login', { email, senha: 'não é esta senha' })
      const kept = ['content-type', 'www-authenticate', 'retry-after'].map((name) => headers.get(name))
      answers.push({ status, ...body, instance: '', request_id: '', kept })
    })
    assert.equal(runs, 1, email.slice(0, 30))
  }
  for (const answer of answers) assert.deepEqual(answer, answers[0])
  assert.equal(Object(answers[0]).error_code, 'CREDENCIAIS_INVALIDAS')
})

test('two log-ins are two, with tokens of their own; `todos` ends both', async () => {
  later(60_000)
  const enter = async () => String((await post('login', ANA)).body.access_token)
  const [first, second] = [await enter(), await enter()]
  assert.notEqual(first, second)
  assert.equal((await post('sair', {}, { token: first })).body.encerrados, 1)
  assert.equal((await conta(second)).status, 200)
  assert.equal((await post('sair', { todos: true }, { token: second })).body.encerrados, 1)
  assert.equal((await conta(second)).status, 401)
})

test('with an API key, which is no log-in, only `todos` ends something', async () => {
  const { key } = await house.open('lite')
  const send = (body: object) =>
    house.ask('/api/v1/auth/sair', {
      key,
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
  assert.equal((await send({})).body.encerrados, 0)
  assert.equal((await send({ todos: true })).body.encerrados, 0)
  assert.equal((await send({})).headers.get('x-credits-charged'), '0')
})

test('an address is limited before its body is read, apart from the public lists', async () => {
  later(60_000)
  for (let at = 0; at < 30; at++) await post('login', {})
  const runs = await argon2During(async () => {
    const { status, body, headers } = await post('login', ANA)
    assert.deepEqual([status, body.error_code], [429, 'RATE_LIMIT_EXCEEDED'])
    assert.equal(headers.get('retry-after'), '60')
    assert.equal(headers.get('x-ratelimit-limit'), '30')
  })
  assert.equal(runs, 0)
  assert.equal((await house.ask('/api/v1/public/rejeicoes', { key: null })).status, 200)
})

test('a client that hangs up leaves the queue of the passwords', async () => {
  later(3_600_000)
  const runs = await argon2During(async () => {
    const body = JSON.stringify({ email: ANA.email, senha: 'não é esta senha' })
    const calls = Array.from({ length: 8 }, () => {
      const call = request(`${house.address}/api/v1/auth/login`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) },
      })
      call.on('error', () => {})
      const ended = new Promise((resolve) => call.on('close', resolve))
      const answered = new Promise((resolve) => call.on('response', (answer) => resolve(answer.resume())))
      call.end(body)
      return { call, ended, answered }
    })
    // Whichever comes first in line: all but the three that hash by now still wait, or have not come.
    await Promise.race(calls.map(({ answered }) => answered))
    for (const { call } of calls) call.destroy()
    await Promise.all(calls.map(({ ended }) => ended))
    assert.equal((await post('login', ANA)).status, 200)
  })
  assert.ok(runs >= 2 && runs < 9, `${runs} hashes`)
})
