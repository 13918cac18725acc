import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { putSample } from '../kit/databases.ts'
import { root } from '../kit/deploy.ts'
import { BANCO_DO_BRASIL } from '../kit/house.ts'
import { listenTo, parseEvents } from '../kit/portal.ts'
import { addressOf, type Child, startChild } from '../kit/processes.ts'
import { reservado, sharedSimulator } from '../kit/simulator.ts'

const GOOD = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01'
const KEY = 'chave-de-teste-0123456789'
/** The answer about this document is late, so a state that is in the cache comes first. */
const LATE = reservado('demorado')

describe('the log', { concurrency: false }, () => {
  const pasta = mkdtempSync(join(tmpdir(), 'registro-'))
  let program: Child
  before(async () => {
    await putSample(join(pasta, 'cnpj'))
    const SIMULATOR_URL = await sharedSimulator()
    const settings = {
      SIMULATOR_URL,
      SEFAZ_MONITOR: 'desligado',
      LOG_LEVEL: 'debug',
      BOOTSTRAP_API_KEY: KEY,
      IE_SECONDS: '4',
    }
    program = startChild('bin/servidor.js', [], pasta, { ...settings, DATA_DIR: pasta, PORT: '0' })
    await program.says(/base-cnpj'\n/)
  })
  after(async () => {
    await program.stop()
    rmSync(pasta, { recursive: true, force: true })
  })

  /** Asks once and gives the line of the log, by the request's id. */
  async function lineOf(
    path: string,
    headers: Record<string, string | string[]>,
  ): Promise<Record<string, unknown>> {
    const id = await new Promise<string>((resolve, reject) => {
      const asked = request(addressOf(program) + path, { headers: { ...headers, 'X-API-Key': KEY } })
      asked.on('response', (answer) => {
        answer.resume().on('end', () => resolve(String(answer.headers['x-request-id'])))
      })
      asked.on('error', reject)
      asked.end()
    })
    await program.says(new RegExp(`"request_id":"${id}"[^\\n]*"http"[^\\n]*\\n`))
    const lines = program.said().split('\n')
    return JSON.parse(lines.find((line) => line.includes(`"${id}"`) && line.includes('"http"')) ?? '{}')
  }

  test('it has a line a request, its fields in one order, its documents masked, and never the key or the URL', async () => {
    const address = addressOf(program)
    const headers = { 'X-API-Key': KEY }
    await fetch(`${address}/api/consultar-cnpj?cnpj=00000000000191`, { headers })
    await fetch(`${address}/api/consultar-cnpj?cnpj=00000000000191&api_key=${KEY}`, { headers })
    await fetch(`${address}/api/consultar?ie=123456789&uf=RS&cnpj=00000000000191`, { headers })
    await program.says(/"http":401/)
    await program.says(/"http":400/)
    const lines = program
      .said()
      .split('\n')
      .filter((line) => line.startsWith('{'))
    const line = JSON.parse(lines.find((text) => text.includes('"endpoint"')) ?? '{}')
    assert.equal(line.endpoint, '/api/consultar-cnpj')
    assert.equal(line.cnpj, '0000********91')
    assert.equal(line.http, 200)
    assert.equal(line.creditos, 1)
    assert.equal(typeof line.ms, 'number')
    for (const text of lines) {
      assert.doesNotMatch(text, /00000000000191/)
      assert.ok(!text.includes(KEY))
    }
    // The documents of a refused query are in the order of its URL.
    const refused = lines.find((text) => text.includes('"http":400'))
    const first = ['level', 'time', 'request_id', 'conta', 'method', 'endpoint']
    const last = ['http', 'error_code', 'creditos', 'ms']
    assert.deepEqual(Object.keys(JSON.parse(refused ?? '{}')), [...first, 'ie', 'cnpj', ...last])
  })

  test('traceparent is accepted and stands in the line of the request', async () => {
    const line = await lineOf(`/api/consultar-cnpj?cnpj=${BANCO_DO_BRASIL}`, { traceparent: GOOD })
    assert.equal(line.traceparent, GOOD)
    assert.deepEqual(Object.keys(line).slice(0, 5), ['level', 'time', 'request_id', 'traceparent', 'conta'])
  })

  test('what has not the form of the W3C is left out, and never fails a request', async () => {
    const bad = [
      GOOD.toUpperCase(),
      `ff${GOOD.slice(2)}`,
      GOOD.replace('0af7651916cd43dd8448eb211c80319c', '0'.repeat(32)),
      GOOD.replace('b7ad6b7169203331', '0'.repeat(16)),
      `${GOOD}-x`,
      'a'.repeat(4_000),
      '{"level":50}',
    ]
    for (const traceparent of bad) {
      const line = await lineOf('/health', { traceparent })
      assert.deepEqual([line.http, line.traceparent], [200, undefined], traceparent)
    }
    assert.equal((await lineOf('/health', { traceparent: [GOOD, GOOD] })).traceparent, undefined)
  })

  test('every line is JSON with a level and an instant, and no field is unknown to docs/operations/log.md', async () => {
    for (const path of [
      '/api/consultar?uf=SP&cnpj=99001002000162',
      '/api/consultar?uf=XX',
      '/nao/ha',
      '/sefaz/',
    ])
      await lineOf(path, {})
    const docs = readFileSync(join(root, 'docs/operations/log.md'), 'utf8')
    const lines = program
      .said()
      .split('\n')
      .filter((line) => line.startsWith('{'))
    assert.ok(lines.length > 10)
    for (const text of lines) {
      const line = JSON.parse(text)
      assert.equal(typeof line.level, 'number')
      assert.match(line.time, /^\d{4}-\d\d-\d\dT[\d:.]+Z$/)
      for (const field of Object.keys(line)) assert.ok(docs.includes(`\`${field}\``), `${field}: ${text}`)
    }
  })

  test('no header of a client that is secret gets into it: key, token, cookie', async () => {
    const secrets = {
      authorization: 'Bearer eyJhbGciOiJIUzI1NiJ9.c2VncmVkbw.assinatura-secreta',
      cookie: 'sessao=cookie-secreto-0123456789; _csrf=outro-secreto',
      'x-forwarded-for': '203.0.113.99',
      'user-agent': 'agente-que-nao-importa',
    }
    for (const path of ['/health', '/nao/ha', '/painel/', '/api/v1/conta']) await lineOf(path, secrets)
    for (const secret of ['assinatura-secreta', 'cookie-secreto', 'outro-secreto', 'agente-que-nao', KEY])
      assert.ok(!program.said().slice(program.said().indexOf('{')).includes(secret), secret)
  })

  test('it has what a stream charged, and of one that the client left only then when it is settled', async () => {
    const address = addressOf(program)
    await fetch(`${address}/api/consultar?uf=SP&cnpj=${LATE}`, { headers: { 'X-API-Key': KEY } })
    const left = await listenTo({ address }, `/api/consultar-ie-todos?cnpj=${LATE}`, KEY)
    await left.until(['id: SP\n'])
    left.leave()
    await program.says(
      /"endpoint":"\/api\/consultar-ie-todos","cnpj":"9876\*{8}\d{2}","http":499,"creditos":1,/,
    )
    const whole = await listenTo({ address }, `/api/consultar-ie-todos?cnpj=${LATE}`, KEY)
    const text = await whole.until(['event: resultado'])
    const { cobrados } = Object(parseEvents(text).find(({ event }) => event === 'creditos')?.data)
    const failed = '"source_failures":\\d+,"source_code":"[A-Z_]+"'
    const line = new RegExp(
      `"endpoint":"/api/consultar-ie-todos",.*"http":200,${failed},"creditos":${cobrados},`,
    )
    await program.says(line)
    assert.match(program.said(), line)
  })
})
