import assert from 'node:assert/strict'
import { statSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { test } from 'node:test'
import { ADDRESS, keyIn, LAST_LINE, pasta, root, run, startServer, usePrograms } from '../kit/processes.ts'

usePrograms()

test('a first start makes everything and prints curl lines that work as pasted; a second start reuses it', async () => {
  const first = await startServer({}, LAST_LINE)
  const lines = first
    .said()
    .split('\n')
    .filter((line) => line.trim().startsWith('curl'))
  assert.equal(lines.length, 6, first.said())
  for (const line of lines) {
    const { stdout } = await run('sh', ['-c', line])
    assert.match(stdout, /"request_id"|"codigo":539/)
  }
  assert.equal(await first.stop(), 0)
  assert.equal(
    statSync(join(pasta, 'dados/segredo-do-servidor')).mode & 0o077,
    0,
    'only its owner reads the secret',
  )
  const second = await startServer({}, LAST_LINE)
  assert.equal(keyIn(second.said()), keyIn(first.said()), 'the same key')
  assert.equal(await second.stop(), 0)
})

test('wrong settings stop the start with a list of what to mend, secrets unseen', async () => {
  const env = { PORT: 'oitenta', AUTHORITIES: 'teste', DATABASE_URL: 'segredo-na-url' }
  const started = await startServer(env, /nunca/)
  assert.equal(await started.ended, 1)
  assert.match(started.said(), /PORT: envie um número inteiro/)
  assert.match(started.said(), /AUTHORITIES: envie uma destas palavras/)
  assert.match(started.said(), /DATABASE_URL: envie/)
  assert.doesNotMatch(started.said(), /segredo-na-url| {4}at /)
})

test('a taken port is said clearly', async () => {
  const other = createServer()
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve))
  const address = other.address()
  const port = typeof address === 'object' && address ? address.port : 0
  const started = await startServer({ PORT: String(port) }, /nunca/)
  assert.equal(await started.ended, 1)
  assert.match(started.said(), new RegExp(`127.0.0.1:${port} já está em uso`))
  assert.doesNotMatch(started.said(), / {4}at /)
  other.close()
})

test('an older Node is refused with a message, not a stack', async () => {
  const old = "Object.defineProperty(process.versions, 'node', { value: '20.20.2' })"
  const program = JSON.stringify(join(root, 'bin/servidor.js'))
  const failed = await run(process.execPath, [
    '--input-type=module',
    '-e',
    `${old}; await import(${program})`,
  ]).catch((error) => error)
  assert.equal(failed.code, 1)
  assert.match(failed.stderr, /precisa do Node\.js 24/)
  assert.doesNotMatch(failed.stderr, / {4}at /)
})

test('the log has a line a request, its fields in one order, its documents masked, and never the key or the URL', async () => {
  const program = await startServer({ LOG_LEVEL: 'info' }, LAST_LINE)
  const address = ADDRESS.exec(program.said())?.[0]
  const key = keyIn(program.said()) ?? ''
  const headers = { 'X-API-Key': key }
  await fetch(`${address}/api/consultar-cnpj?cnpj=00000000000191`, { headers })
  await fetch(`${address}/api/consultar-cnpj?cnpj=00000000000191&api_key=${key}`, { headers })
  await fetch(`${address}/api/consultar?ie=123456789&uf=RS&cnpj=00000000000191`, { headers })
  await program.says(/"http":401/)
  await program.says(/"http":400/)
  await program.stop()
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
    assert.ok(!text.includes(key))
  }
  // The documents of a refused query are in the order of its URL.
  const refused = lines.find((text) => text.includes('"http":400'))
  const first = ['level', 'time', 'request_id', 'conta', 'method', 'endpoint']
  const last = ['http', 'error_code', 'creditos', 'ms']
  assert.deepEqual(Object.keys(JSON.parse(refused ?? '{}')), [...first, 'ie', 'cnpj', ...last])
})

test('in production the initial key is never written, and the sample base is said not to answer', async () => {
  const env = { AUTHORITIES: 'live', BOOTSTRAP_API_KEY: 'chave-que-nao-aparece' }
  const program = await startServer(env, /Base CNPJ.*\n/)
  assert.match(program.said(), /amostra fictícia, que não responde em produção/)
  const ready = await fetch(`${ADDRESS.exec(program.said())?.[0]}/ready`)
  assert.equal(ready.status, 503)
  assert.equal(await program.stop(), 0)
  assert.doesNotMatch(program.said(), /chave-que-nao-aparece/)
})
