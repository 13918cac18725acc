import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { connect } from 'node:net'
import { after, before, test } from 'node:test'
import { buildApp } from '../../src/app.ts'
import { excessOf } from '../../src/platform/http/bodies.ts'
import { type Answer, type House, start } from '../kit/house.ts'

const PATH = '/api/consultar-nfe-xml'

let house: House
before(async () => {
  house = await start()
})
after(() => house.close())

const post = (body: string, headers: Record<string, string> = {}, key?: null): Promise<Answer> =>
  house.ask(PATH, {
    method: 'POST',
    body,
    headers: { 'Content-Type': 'application/json', ...headers },
    ...(key === null && { key }),
  })

const text = (length: number): string => randomBytes(length).toString('base64').slice(0, length)

test('413 CORPO_MUITO_GRANDE: a body of a note over 96 KiB; a certificate of 60 KiB is read', async () => {
  const body = (senha: string) => JSON.stringify({ chave: '1'.repeat(44), certificado: 'AAAA', senha })
  const room = 96 * 1024 - body('').length
  const large = await post(body(text(room + 1)))
  assert.deepEqual([large.status, large.body.error_code], [413, 'CORPO_MUITO_GRANDE'])
  assert.match(String(large.body.detail), /no máximo 96 KiB/)
  assert.equal((await post(body(text(room)))).body.error_code, 'CERTIFICADO_INVALIDO')
  const certificado = randomBytes(60 * 1024).toString('base64')
  const sent = await post(JSON.stringify({ chave: '1'.repeat(44), certificado, senha: 'x' }))
  assert.equal(sent.body.error_code, 'CERTIFICADO_INVALIDO')
})

const NESTED = '['.repeat(40_000) + ']'.repeat(40_000)
const names = (count: number): string =>
  `{${Array.from({ length: count }, (_, n) => `"${n.toString(36)}":0`).join(',')}}`

for (const [what, body, says] of [
  ['10,000 names', names(10_000), /mais de 500 campos e itens/],
  ['40,000 items in a list', `{"chave":[${'0,'.repeat(40_000)}0]}`, /mais de 500 campos e itens/],
  ['11 levels', `{"chave":${'['.repeat(10)}${']'.repeat(10)}}`, /mais de 10 níveis/],
  ['40,000 levels', `{"chave":${NESTED}}`, /mais de 10 níveis/],
] as const)
  test(`400 CORPO_INVALIDO: a body of ${what}, with and without an Idempotency-Key`, async () => {
    for (const headers of [{}, { 'Idempotency-Key': 'a' }]) {
      const { status, body: problem } = await post(body, headers)
      assert.deepEqual([status, problem.error_code], [400, 'CORPO_INVALIDO'])
      assert.match(String(problem.detail), says)
    }
  })

test('what a text holds is not counted, quotes and backslashes in it neither', () => {
  for (const inside of ['{{{{{{{{{{{{', ','.repeat(600), '\\"', '\\\\', `\\\\\\"${'['.repeat(20)}`])
    assert.equal(excessOf(Buffer.from(`{"senha":"${inside}","x":[1]}`)), undefined, inside)
  assert.ok(excessOf(Buffer.from(`{"senha":"\\\\","x":${'['.repeat(20)}`)))
  assert.ok(excessOf(Buffer.from(`{"senha":"a","x":${'['.repeat(20)}"`)))
})

test('401: what a stranger sends is not read', async () => {
  const large = `"${'x'.repeat(1024 * 1024)}"`
  for (const body of ['{"a":', `{"chave":${NESTED}}`, large]) {
    const { status, body: problem } = await post(body, {}, null)
    assert.deepEqual([status, problem.error_code], [401, 'NAO_AUTENTICADO'])
  }
})

test('the parser of bodies is never reached by a stranger', async (t) => {
  const app = await buildApp(house.rooms)
  t.after(() => app.close())
  let parsed = 0
  app.addHook('preParsing', (_request, _reply, payload, done) => {
    parsed += 1
    done(null, payload)
  })
  const url = await app.listen({ port: 0, host: '127.0.0.1' })
  const headers = { 'Content-Type': 'application/json' }
  const ask = (key: string) =>
    fetch(url + PATH, { method: 'POST', body: '{}', headers: { ...headers, 'X-API-Key': key } })
  assert.equal((await ask('fk_nada')).status, 401)
  assert.equal(parsed, 0)
  assert.equal((await ask(house.apiKey ?? '')).status, 400)
  assert.equal(parsed, 1)
})

test('a client that breaks off its upload is a 499 in the log, and no failure', async (t) => {
  const lines: { level: string; fields: Record<string, unknown>; text: unknown }[] = []
  const left = Promise.withResolvers<void>()
  const log = Object.assign(Object.create(house.rooms.platform.log), {
    isLevelEnabled: () => true,
    info: (fields: object) => {
      lines.push({ level: 'info', fields: { ...fields }, text: '' })
      left.resolve()
    },
    error: (fields: object, said: string) =>
      lines.push({ level: 'error', fields: { ...fields }, text: said }),
  })
  const app = await buildApp({ ...house.rooms, platform: { ...house.rooms.platform, log } })
  t.after(() => app.close())
  const { port } = new URL(await app.listen({ port: 0, host: '127.0.0.1' }))
  const parsing = Promise.withResolvers<void>()
  app.server.once('request', () => setImmediate(parsing.resolve))
  const socket = connect(Number(port), '127.0.0.1')
  socket.write(
    `POST ${PATH} HTTP/1.1\r\nHost: a\r\nX-API-Key: ${house.apiKey}\r\nContent-Type: application/json\r\n` +
      'Content-Length: 1000\r\n\r\n{"chave":',
  )
  await parsing.promise
  socket.resetAndDestroy()
  await left.promise
  assert.deepEqual(
    lines.map(({ level, fields }) => [level, fields.http]),
    [['info', 499]],
  )
})

test('a request that comes too slowly is given up before its body may be late', async (t) => {
  const app = await buildApp(house.rooms)
  t.after(() => app.close())
  assert.ok(app.server.headersTimeout > 0)
  assert.ok(app.server.headersTimeout < app.server.requestTimeout)
})
