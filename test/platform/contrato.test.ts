import assert from 'node:assert/strict'
import { test } from 'node:test'
import { SourceError } from '../../src/platform/wire/fonte.ts'
import { CHAVES, pergunta, tokenOf, useContrato } from '../kit/federal.ts'

const authority = useContrato()

async function failureOf(asking: Promise<unknown>): Promise<SourceError> {
  const error = await asking.then(
    () => assert.fail('it should fail'),
    (thrown: unknown) => thrown,
  )
  assert.ok(error instanceof SourceError, String(error))
  assert.ok(!`${error.message} ${error.stack} ${String(error.cause)}`.includes(CHAVES.segredo))
  return error
}

const bearers = () => authority.asked().map(({ cabecalhos }) => cabecalhos.authorization)

test('a token is asked for with Basic and a form, and carried as Bearer', async () => {
  const contrato = authority.open('filial-1')
  authority.setAnswers({ body: { ni: '1' } })
  const reply = await contrato.send(pergunta)
  assert.equal(reply.text(), '{"ni":"1"}')
  const [token] = authority.askedTokens()
  assert.equal(token?.metodo, 'POST')
  assert.equal(token.corpo.toString(), 'grant_type=client_credentials')
  assert.equal(token.cabecalhos['content-type'], 'application/x-www-form-urlencoded')
  const basic = Buffer.from(`${CHAVES.chave}:${CHAVES.segredo}`).toString('base64')
  assert.equal(token.cabecalhos.authorization, `Basic ${basic}`)
  assert.equal(token.cabecalhos['x-request-tag'], undefined)
  const [asked] = authority.asked()
  assert.equal(asked?.metodo, 'GET')
  assert.equal(asked.caminho, pergunta.path)
  assert.equal(asked.cabecalhos.authorization, 'Bearer token-1')
  assert.equal(asked.cabecalhos.accept, 'application/json')
  assert.equal(asked.cabecalhos['x-request-tag'], 'filial-1')
})

test('a question with a body is a POST of JSON, without a tag where none is set', async () => {
  await authority.open().send({ ...pergunta, method: 'POST', path: '/certidao', body: { Chave: '1' } })
  const [asked] = authority.asked()
  assert.equal(asked?.corpo.toString(), '{"Chave":"1"}')
  assert.equal(asked.cabecalhos['content-type'], 'application/json')
  assert.equal('x-request-tag' in asked.cabecalhos, false)
})

test('a token is used until it ends, less a margin', async () => {
  const contrato = authority.open()
  authority.setTokens(tokenOf('token-1', 600), tokenOf('token-2', 600))
  await contrato.send(pergunta)
  authority.passSeconds(589)
  await contrato.send(pergunta)
  authority.passSeconds(2)
  await contrato.send(pergunta)
  assert.deepEqual(bearers(), ['Bearer token-1', 'Bearer token-1', 'Bearer token-2'])
  assert.equal(authority.askedTokens().length, 2)
})

test('callers at the same time share one renewal', async () => {
  const contrato = authority.open()
  const gate = Promise.withResolvers<void>()
  authority.setTokens({ ...tokenOf('token-1'), espera: gate.promise })
  const asking = Promise.all(Array.from({ length: 20 }, () => contrato.send(pergunta)))
  gate.resolve()
  await asking
  assert.equal(authority.askedTokens().length, 1)
  assert.equal(authority.asked().length, 20)
})

test('a refused token is renewed once, and the question repeated', async () => {
  const contrato = authority.open()
  authority.setTokens(tokenOf('token-1'), tokenOf('token-2'))
  authority.setAnswers({ status: 401, body: {} }, { body: { ni: '1' } })
  assert.equal((await contrato.send(pergunta)).status, 200)
  assert.deepEqual(bearers(), ['Bearer token-1', 'Bearer token-2'])
})

test('a token that is refused twice is the operator’s to mend', async () => {
  const contrato = authority.open()
  authority.setAnswers({ status: 401, body: {} })
  const error = await failureOf(contrato.send(pergunta))
  assert.equal(authority.asked().length, 2)
  assert.deepEqual([error.kind, error.status, error.codigo], ['http', 401, 'credencial'])
  assert.deepEqual([error.unavailable, error.retryS], [true, null])
  assert.match(error.message, /^A Consulta CNPJ .*Operador: confira SERPRO_KEY/)
})

test('refused keys fail every question, without asking the product', async () => {
  const contrato = authority.open()
  authority.setTokens({ status: 401, body: { error: 'invalid_client', error_description: 'x' } })
  const error = await failureOf(contrato.send(pergunta))
  assert.deepEqual([error.codigo, error.retryS, error.unavailable], ['credencial', null, true])
  assert.equal(authority.asked().length, 0)
  authority.setTokens(tokenOf('token-2'))
  assert.equal((await contrato.send(pergunta)).status, 200)
})

for (const [name, body] of Object.entries({
  'no JSON': '<html>',
  'no token': { token_type: 'Bearer', expires_in: 10 },
  'an empty token': { access_token: '', token_type: 'Bearer', expires_in: 10 },
  'a token with a line break': { access_token: 'a\r\nb', token_type: 'Bearer', expires_in: 10 },
  'no end': { access_token: 'a', token_type: 'Bearer' },
  'an end in words': { access_token: 'a', token_type: 'Bearer', expires_in: '3600' },
  'another kind': { access_token: 'a', token_type: 'mac', expires_in: 3600 },
}))
  test(`an answer with ${name} is no token`, async () => {
    const contrato = authority.open()
    authority.setTokens({ body })
    const error = await failureOf(contrato.send(pergunta))
    assert.deepEqual([error.kind, error.unavailable, error.retryS], ['parse', true, null])
  })

test('a token endpoint that is down, or busy, is an outage', async () => {
  const contrato = authority.open()
  authority.setTokens({ status: 503, body: '', headers: { 'retry-after': '120' } })
  assert.equal((await failureOf(contrato.send(pergunta))).retryS, 120)
  authority.setTokens({ status: 415, body: '' })
  assert.equal((await failureOf(contrato.send(pergunta))).retryS, null)
})

test('a caller waits for a renewal no longer than it may, and another gets the token', async () => {
  const contrato = authority.open()
  const gate = Promise.withResolvers<void>()
  authority.setTokens({ ...tokenOf('token-1'), espera: gate.promise })
  const patient = contrato.send(pergunta)
  const error = await failureOf(contrato.send({ ...pergunta, deadlineMs: 20 }))
  assert.deepEqual([error.kind, error.source], ['timeout', 'BR/cnpj'])
  const left = new AbortController()
  const leaving = contrato.send({ ...pergunta, signal: left.signal })
  left.abort(new Error('gone'))
  await assert.rejects(leaving, /^Error: gone$/)
  gate.resolve()
  assert.equal((await patient).status, 200)
  assert.equal(authority.askedTokens().length, 1)
})

test('a product that is not contracted is told to the operator', async () => {
  const contrato = authority.open()
  authority.setAnswers({
    status: 403,
    body: { code: '900908', message: 'Resource forbidden', description: '' },
  })
  const error = await failureOf(contrato.send(pergunta))
  assert.deepEqual([error.codigo, error.retryS, error.unavailable], ['sem-produto', null, true])
  assert.match(error.message, /^A Consulta CNPJ .*Operador: contrate este produto\.$/)
})

test('Retry-After of a 429 and of a 503 is honoured', async () => {
  const contrato = authority.open()
  const headers = { 'retry-after': '37' }
  for (const status of [429, 503]) {
    authority.setAnswers({ status, body: {}, headers })
    assert.equal((await failureOf(contrato.send(pergunta))).retryS, 37)
  }
  authority.setAnswers({ status: 500, body: {} })
  const { retryS, unavailable } = await failureOf(contrato.send(pergunta))
  assert.deepEqual([retryS, unavailable], [60, true])
})

test('what a product answers is the caller’s to read', async () => {
  const contrato = authority.open()
  for (const status of [200, 201, 202, 206, 400, 404, 422]) {
    authority.setAnswers({ status, body: { Status: 9, Mensagem: 'x' } })
    assert.equal((await contrato.send(pergunta)).status, status)
  }
})

test('an error of the gateway itself is no answer of a product', async () => {
  const contrato = authority.open()
  const erro = { code: '404', message: 'Not Found', description: 'No matching resource' }
  for (const body of [erro, { fault: { ...erro, code: 900906 } }])
    for (const status of [400, 404]) {
      authority.setAnswers({ status, body })
      const error = await failureOf(contrato.send(pergunta))
      assert.deepEqual([error.kind, error.status, error.retryS], ['http', status, null])
    }
  authority.setAnswers({ status: 302, body: '', headers: { location: 'https://outro.test/' } })
  assert.equal((await failureOf(contrato.send(pergunta))).status, 302)
})
