import assert from 'node:assert/strict'
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { promisify } from 'node:util'

const run = promisify(execFile)
const root = join(import.meta.dirname, '..')
let pasta = ''
before(() => {
  pasta = mkdtempSync(join(tmpdir(), 'consulta-fiscal-start-'))
})
after(() => rmSync(pasta, { recursive: true, force: true }))

type Started = { child: ChildProcess; said: () => string; ended: Promise<number | null> }

/** Starts the program as a user does, in an empty folder of settings, until it says `until` or ends. */
async function startProgram(env: Record<string, string>, until: RegExp): Promise<Started> {
  const child = spawn(process.execPath, [join(root, 'bin/servidor.js')], {
    cwd: pasta,
    env: { PATH: process.env.PATH, DATA_DIR: join(pasta, 'dados'), PORT: '0', LOG_LEVEL: 'silent', ...env },
  })
  let text = ''
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve))
  await new Promise<void>((resolve) => {
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (chunk) => {
        text += chunk
        if (until.test(text)) resolve()
      })
    }
    void ended.then(() => resolve())
  })
  return { child, said: () => text, ended }
}

async function stop({ child, ended }: Started): Promise<number | null> {
  child.kill('SIGINT')
  return ended
}

const LAST_LINE = /base-cnpj'\n/
const keyIn = (text: string) => /fk_\w{38}/.exec(text)?.[0]

test('a first start makes everything and prints curl lines that work as pasted; a second start reuses it', async () => {
  const first = await startProgram({}, LAST_LINE)
  const lines = first
    .said()
    .split('\n')
    .filter((line) => line.trim().startsWith('curl'))
  assert.equal(lines.length, 2, first.said())
  for (const line of lines) {
    const { stdout } = await run('sh', ['-c', line])
    assert.match(stdout, /"request_id"/)
  }
  assert.equal(await stop(first), 0)
  assert.equal(
    statSync(join(pasta, 'dados/segredo-do-servidor')).mode & 0o077,
    0,
    'only its owner reads the secret',
  )
  const second = await startProgram({}, LAST_LINE)
  assert.equal(keyIn(second.said()), keyIn(first.said()), 'the same key')
  assert.equal(await stop(second), 0)
})

test('BOOTSTRAP_API_KEY is the key of the initial account', async () => {
  const { stdout } = await run(process.execPath, [join(root, 'bin/fiscal.js'), 'contas', 'chave-nova'])
  const key = keyIn(stdout) ?? ''
  const started = await startProgram({ BOOTSTRAP_API_KEY: key }, LAST_LINE)
  assert.match(started.said(), new RegExp(key))
  assert.equal(await stop(started), 0)
})

test('wrong settings stop the start with a list of what to mend, secrets unseen', async () => {
  const env = { PORT: 'oitenta', AUTHORITIES: 'teste', DATABASE_URL: 'segredo-na-url' }
  const started = await startProgram(env, /nunca/)
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
  const started = await startProgram({ PORT: String(port) }, /nunca/)
  assert.equal(await started.ended, 1)
  assert.match(started.said(), new RegExp(`127.0.0.1:${port} já está em uso`))
  assert.doesNotMatch(started.said(), / {4}at /)
  other.close()
})

test('a second server on the same data folder is refused clearly', async () => {
  const first = await startProgram({}, LAST_LINE)
  const second = await startProgram({}, /nunca/)
  assert.equal(await second.ended, 1)
  assert.match(second.said(), /já está servindo/)
  assert.equal(await stop(first), 0)
})

test('a data folder that is a file, or cannot be written, is said clearly', async () => {
  const started = await startProgram({ DATA_DIR: join(root, 'package.json') }, /nunca/)
  assert.equal(await started.ended, 1)
  assert.match(started.said(), /não é uma pasta/)
})

test('an older Node is refused with a message, not a stack', async () => {
  const old = "Object.defineProperty(process.versions, 'node', { value: '20.20.2' })"
  const program = JSON.stringify(join(root, 'bin/servidor.js'))
  const failed = await run(process.execPath, ['--input-type=module', '-e', `${old}; await import(${program})`]).catch(
    (error) => error,
  )
  assert.equal(failed.code, 1)
  assert.match(failed.stderr, /precisa do Node\.js 24/)
  assert.doesNotMatch(failed.stderr, /    at /)
})
