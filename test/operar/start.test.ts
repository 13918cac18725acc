import assert from 'node:assert/strict'
import { statSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { test } from 'node:test'
import { putSample } from '../kit/databases.ts'
import { root, run } from '../kit/deploy.ts'
import { start } from '../kit/house.ts'
import { keyIn, LAST_LINE, pasta, startServer, usePrograms } from '../kit/processes.ts'

usePrograms()

test('a first start makes everything and prints curl lines that work as pasted; a second start reuses it', async (t) => {
  const first = await startServer({}, LAST_LINE)
  const lines = first
    .said()
    .split('\n')
    .filter((line) => line.trim().startsWith('curl'))
  assert.equal(lines.length, 2, first.said())
  for (const line of lines) {
    const { stdout } = await run('sh', ['-c', line])
    assert.match(stdout, /"request_id"/)
  }
  for (const told of [/\(simulador: nada sai desta máquina\)\n/, /^ {2}Painel +http:\S+\/painel\/$/m])
    assert.match(first.said(), told)
  assert.ok(first.said().includes(`  Dados         ${join(pasta, 'dados')}\n`), first.said())
  assert.equal(await first.stop(), 0)
  assert.equal(
    statSync(join(pasta, 'dados/segredo-do-servidor')).mode & 0o077,
    0,
    'only its owner reads the secret',
  )
  const second = await start({ DATA_DIR: join(pasta, 'dados') })
  t.after(() => second.close())
  assert.equal(second.apiKey, keyIn(first.said()), 'the same key')
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

test('a taken port is said clearly', async (t) => {
  const other = createServer()
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve))
  t.after(() => other.close())
  const address = other.address()
  const port = typeof address === 'object' && address ? address.port : 0
  const message = new RegExp(`127.0.0.1:${port} já está em uso`)
  await assert.rejects(start({ PORT: String(port) }), { name: 'StartError', message })
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

test('in production the initial key is not in the welcome, and the sample base is said not to answer', async (t) => {
  const DATA_DIR = join(pasta, 'producao')
  await putSample(join(DATA_DIR, 'cnpj'))
  const env = { AUTHORITIES: 'live', BOOTSTRAP_API_KEY: 'chave-que-nao-aparece', DATA_DIR }
  const house = await start(env)
  t.after(() => house.close())
  assert.match(house.welcome, /amostra fictícia, que não responde em produção/)
  assert.doesNotMatch(house.welcome, /chave-que-nao-aparece/)
  assert.equal((await house.ask('/ready', { key: null })).status, 503)
})
