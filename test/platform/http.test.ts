import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { after, before, test } from 'node:test'
import { setInterval } from 'node:timers/promises'
import { gunzipSync } from 'node:zlib'
import { BANCO_DO_BRASIL, type House, start } from '../kit/house.ts'

let house: House
before(async () => {
  house = await start()
})
after(() => house.close())

const PATH = `/api/consultar-cnpj?cnpj=${BANCO_DO_BRASIL}`

/** Sends bytes as they are and reads until the server closes. */
function raw(bytes: string): Promise<string> {
  const { port, hostname } = new URL(house.address)
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    const socket = connect(Number(port), hostname, () => socket.write(bytes))
    socket.on('data', (chunk) => chunks.push(chunk))
    socket.on('end', () => resolve(Buffer.concat(chunks).toString('latin1')))
    socket.on('error', reject)
  })
}

test('404 ROTA_NAO_ENCONTRADA: an unknown path', async () => {
  for (const path of [
    '/nada',
    '/api/consultar-cnpj/',
    '/api',
    '/API/CONSULTAR-CNPJ',
    '/..%2f..%2fetc/passwd',
  ]) {
    const { status, body } = await house.ask(path)
    assert.equal(status, 404, path)
    assert.equal(body.error_code, 'ROTA_NAO_ENCONTRADA')
  }
})

test('405 METODO_NAO_PERMITIDO: a wrong method, with Allow; HEAD never charges', async () => {
  for (const method of ['POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS', 'HEAD']) {
    const { status, headers, body } = await house.ask(PATH, { method })
    assert.equal(status, 405, method)
    assert.equal(headers.get('allow'), 'GET')
    if (method !== 'HEAD') assert.equal(body.error_code, 'METODO_NAO_PERMITIDO')
  }
})

test('a wrong method or an unknown path is what is told, whatever the body', async () => {
  for (const type of ['application/json', 'application/xml']) {
    const request = { method: 'PUT', body: '{"a":', headers: { 'Content-Type': type } }
    assert.equal((await house.ask(PATH, request)).body.error_code, 'METODO_NAO_PERMITIDO')
    assert.equal((await house.ask('/api/nada', request)).body.error_code, 'ROTA_NAO_ENCONTRADA')
  }
})

test('413 CORPO_MUITO_GRANDE, 415 TIPO_NAO_SUPORTADO, 400 CORPO_INVALIDO: bodies that cannot be taken', async () => {
  const post = (body: string, type: string) =>
    house.ask('/api/consultar-nfe-xml', { method: 'POST', body, headers: { 'Content-Type': type } })
  assert.equal(
    (await post(`"${'x'.repeat(1024 * 1024)}"`, 'application/json')).body.error_code,
    'CORPO_MUITO_GRANDE',
  )
  assert.equal((await post('{"a":', 'application/json')).body.error_code, 'CORPO_INVALIDO')
  assert.equal((await post('<a/>', 'application/xml')).body.error_code, 'TIPO_NAO_SUPORTADO')
})

test('431 CABECALHOS_MUITO_GRANDES: more than 16 KiB of headers or URL', async () => {
  const answer = await raw(`GET /?${'x'.repeat(20_000)} HTTP/1.1\r\nHost: a\r\n\r\n`)
  assert.match(answer, /^HTTP\/1\.1 431 /)
  assert.match(answer, /CABECALHOS_MUITO_GRANDES/)
})

test('400 REQUISICAO_INVALIDA: what is not HTTP, or not a URL', async () => {
  assert.match(
    await raw('isto nao e http\r\n\r\n'),
    /^HTTP\/1\.1 400 .*x-ambiente: simulador.*REQUISICAO_INVALIDA/s,
  )
  const { status, body, headers } = await house.ask('/api/%zz')
  assert.equal(status, 400)
  assert.equal(body.error_code, 'REQUISICAO_INVALIDA')
  assert.equal(headers.get('x-ambiente'), 'simulador')
  const twice = await raw('GET /health HTTP/1.1\r\nHost: a\r\nhost: b\r\nConnection: close\r\n\r\n')
  assert.match(twice, /^HTTP\/1\.1 400 .*REQUISICAO_INVALIDA.*Host veio mais de uma vez/s)
  const nameless = await raw('GET /health HTTP/1.1\r\nConnection: close\r\n\r\n')
  assert.match(nameless, /^HTTP\/1\.1 400 .*x-ambiente: simulador.*REQUISICAO_INVALIDA.*Host/s)
})

test('an Expect that nobody knows is answered all the same', async () => {
  const answer = await raw('GET /health HTTP/1.1\r\nHost: a\r\nExpect: nada\r\nConnection: close\r\n\r\n')
  assert.match(answer, /^HTTP\/1\.1 200 .*x-ambiente: simulador/s)
})

test('every answer has security headers, a request id and the environment', async () => {
  for (const path of [PATH, '/nada', '/erros', '/documentacao/', '/openapi.json', '/api/consultar-cnpj']) {
    const { headers } = await house.ask(path)
    assert.equal(headers.get('x-content-type-options'), 'nosniff', path)
    assert.ok(headers.get('strict-transport-security'), path)
    assert.ok(headers.get('content-security-policy'), path)
    assert.equal(headers.get('x-powered-by'), null)
    assert.equal(headers.get('x-ambiente'), 'simulador', path)
    assert.match(headers.get('x-request-id') ?? '', /^[0-9a-f-]{36}$/, path)
  }
})

test('what no route sees has the same security headers as the rest', async () => {
  const names = [
    'cache-control',
    'content-security-policy',
    'referrer-policy',
    'strict-transport-security',
    'x-content-type-options',
    'x-frame-options',
    'x-ambiente',
    'x-request-id',
  ]
  for (const bytes of [
    'isto nao e http\r\n\r\n',
    'GET /api/%zz HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n',
    `GET /?${'x'.repeat(20_000)} HTTP/1.1\r\nHost: a\r\n\r\n`,
  ]) {
    const [head = ''] = (await raw(bytes)).split('\r\n\r\n')
    for (const name of names) assert.match(head.toLowerCase(), new RegExp(`^${name}: \\S`, 'm'), name)
  }
})

test('bodies over 4 kB are compressed with gzip for who accepts it, whole', async () => {
  const sent = { 'Accept-Encoding': 'gzip' }
  const { headers, body } = await house.ask('/api/v1/fontes?servico=cnd', { headers: sent })
  assert.equal(headers.get('content-encoding'), 'gzip')
  assert.ok(Number(headers.get('content-length')) > 1_000, 'as a stream it would have no length')
  assert.ok(Array.isArray(body.fontes))
  const plain = await house.ask('/api/v1/fontes?servico=cnd', { headers: { 'Accept-Encoding': 'identity' } })
  assert.equal(plain.headers.get('content-encoding'), null)
  assert.ok(plain.text.length > 4 * 1024)
  const small = await house.ask('/api/v1/fontes?uf=SP', { headers: sent })
  assert.equal(small.headers.get('content-encoding'), null)
  assert.ok(small.text.length > 1_024)
})

test('a page that is large has a gzip form of its own', async () => {
  const { headers, body } = await house.ask('/openapi.json', { headers: { 'Accept-Encoding': 'gzip' } })
  assert.equal(headers.get('content-encoding'), 'gzip')
  assert.ok(Object.keys(body).length > 0)
  const plain = await house.ask('/openapi.json', { headers: { 'Accept-Encoding': 'identity' } })
  assert.equal(plain.headers.get('content-encoding'), null)
  const small = await house.ask('/health', { headers: { 'Accept-Encoding': 'gzip' } })
  assert.equal(small.headers.get('content-encoding'), null)
  assert.throws(() => gunzipSync(small.text), { code: 'Z_DATA_ERROR' })
})

test('health and readiness need no key', async () => {
  assert.deepEqual((await house.ask('/health', { key: null })).body, { status: 'ok' })
  const { status, body } = await house.ask('/ready', { key: null })
  assert.equal(status, 200)
  const { certificado, rejeicoes, ...rest } = body
  const sigef = { sessao: 'simulador', vence_em: null, login_ate: null, aviso: '' }
  const sefaz = { monitor: 'desligado', fonte: null, ultima_rodada: null, aviso: '' }
  assert.deepEqual(rest, { status: 'ok', banco: true, base_cnpj: '2026-10', sigef, sefaz })
  assert.deepEqual(Object.keys(Object(certificado)), ['dias', 'aviso'])
  assert.deepEqual(Object.keys(Object(rejeicoes)), ['versao', 'total', 'aviso'])
})

test("readiness tells when the operator's certificate is about to end, and stays ready", async (t) => {
  const { certificado } = house.rooms.platform
  const end = certificado?.fim.getTime() ?? 0
  const days = (left: number) => new Date(end - left * 86_400_000)
  for (const [left, says] of [
    [31, /^$/],
    [29, /vence em 29 dias/],
    [-1, /venceu/],
  ] as const) {
    const later = await start({}, () => days(left))
    t.after(() => later.close())
    const { status, body } = await later.ask('/ready', { key: null })
    assert.equal(status, 200)
    assert.equal(Object(body.certificado).dias, left)
    assert.match(Object(body.certificado).aviso, says)
  }
})

test('a connection that was taken before the end began is answered, if its first byte comes within a second', async () => {
  const other = await start()
  const { port, hostname } = new URL(other.address)
  const fresh = connect(Number(port), hostname)
  await once(fresh, 'connect')
  // Connections are taken in their order.
  await other.ask('/health', { key: null })
  const ended = other.close()
  let looked = 0
  for await (const _ of setInterval(20)) if (++looked === 4) break
  fresh.write('GET /health HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n')
  assert.match(await text(fresh), /^HTTP\/1\.1 200 /)
  await ended
})

test('a connection that never sent a byte does not hold back the end of the service', {
  timeout: 30_000,
}, async () => {
  const other = await start()
  const { port, hostname } = new URL(other.address)
  const silent = connect(Number(port), hostname)
  await once(silent, 'connect')
  await other.close()
  if (!silent.closed) await once(silent.resume(), 'close')
})
