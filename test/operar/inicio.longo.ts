import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import { join } from 'node:path'
import { test } from 'node:test'
import { pausa } from '../kit/basics.ts'
import {
  ADDRESS,
  answers,
  findRow,
  keyIn,
  LAST_LINE,
  pasta,
  processAt,
  queriesAt,
  root,
  run,
  startServer,
  usePrograms,
} from '../kit/processes.ts'

usePrograms()

test('a second server on the same data folder is refused clearly', async () => {
  const first = await startServer({}, LAST_LINE)
  const second = await startServer({}, /nunca/)
  assert.equal(await second.ended, 1)
  assert.match(second.said(), /já está servindo/)
  assert.equal(await first.stop(), 0)
})

test('a taken port is said clearly by the program', async () => {
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

test('a second start of the program reuses what the first made', async () => {
  const first = await startServer({}, LAST_LINE)
  assert.equal(await first.stop(), 0)
  const second = await startServer({}, LAST_LINE)
  assert.equal(keyIn(second.said()), keyIn(first.said()), 'the same key')
  assert.equal(await second.stop(), 0)
})

test('a data folder that the system does not let us make is a sentence, not a stack and no silence', async () => {
  for (const folder of ['/proc/x', '/proc/x/y/z', `/${'x'.repeat(300)}`]) {
    const started = await startServer({ DATA_DIR: folder }, /nunca/)
    assert.equal(await started.ended, 1)
    assert.match(started.said(), /(não deixa criar|Sem permissão|longo demais).*DATA_DIR\.\n$/)
    assert.doesNotMatch(started.said(), / {4}at /)
    const command = [join(root, 'bin/fiscal.js'), 'cnpj', 'importar', pasta]
    const failed = await run(process.execPath, command, { env: { DATA_DIR: folder } }).catch((error) => error)
    assert.match(failed.stderr, /DATA_DIR\.\n$/)
  }
})

test("every file of the data folder is its owner's alone, whatever the mode of the folder and the umask", async () => {
  const folder = join(pasta, 'aberta')
  mkdirSync(folder, { mode: 0o777 })
  const before = process.umask(0)
  try {
    const program = await startServer({ DATA_DIR: folder }, LAST_LINE)
    const found = readdirSync(folder, { recursive: true, withFileTypes: true })
    assert.ok(found.length > 5)
    for (const entry of found) {
      const path = join(entry.parentPath, entry.name)
      assert.equal(statSync(path).mode & 0o077, 0, path)
    }
    assert.equal(await program.stop(), 0)
  } finally {
    process.umask(before)
  }
})

test('a signal to "npm start" reaches the service: it drains, its simulator ends, npm ends after both', async () => {
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    const npm = spawn('npm', ['start'], {
      cwd: root,
      detached: true,
      env: { ...process.env, DATA_DIR: join(pasta, 'npm'), PORT: '0', LOG_LEVEL: 'silent' },
    })
    const ended = new Promise<number | null>((resolve) => npm.once('close', resolve))
    let said = ''
    const started = new Promise<void>((resolve) => {
      npm.stdout.on('data', (chunk) => {
        said += chunk
        if (LAST_LINE.test(said)) resolve()
      })
      void ended.then(() => resolve())
    })
    await started
    const pages = /Simulador +(http:\S+)/.exec(said)?.[1] ?? ''
    assert.ok(await processAt(pages), said)
    // As a supervisor does it, and as a terminal does, which tells the whole group.
    const pid = npm.pid ?? 0
    process.kill(signal === 'SIGTERM' ? pid : -pid, signal)
    assert.equal(await ended, 0)
    assert.match(said, /Encerrando/)
    assert.equal(await processAt(pages), undefined)
    assert.equal(await answers(ADDRESS.exec(said)?.[0] ?? ''), false)
    assert.throws(() => process.kill(-pid, 0), { code: 'ESRCH' }, 'nobody of its group is left')
  }
})

test('a data folder in which the lock cannot be made, as on a full disk, is said clearly', async () => {
  const folder = join(pasta, 'sem-trava')
  mkdirSync(join(folder, 'consulta-fiscal.db.servidor'), { recursive: true })
  const started = await startServer({ DATA_DIR: folder }, /nunca/)
  assert.equal(await started.ended, 1)
  assert.match(started.said(), /Não é possível gravar em .*sem-trava.*DATA_DIR/)
  assert.doesNotMatch(started.said(), / {4}at /)
})

test('the simulator comes with the service, is started again if it ends, and ends with it even by kill -9', async () => {
  const program = await startServer({}, LAST_LINE)
  const pages = /Simulador +(http:\S+)/.exec(program.said())?.[1] ?? ''
  assert.match(await (await fetch(pages)).text(), /simulador/i)
  const first = await processAt(pages)
  assert.ok(first)
  process.kill(first, 'SIGKILL')
  while ([first, undefined].includes(await processAt(pages))) await pausa()
  program.child.kill('SIGKILL')
  await program.ended
  while ((await processAt(pages)) !== undefined) await pausa()
})

test("a terminal's Ctrl-C reaches the simulator too, and what is in flight is still answered", async () => {
  const program = await startServer({}, LAST_LINE, { detached: true })
  const { cnpj = '' } = findRow('responde certo depois de 2 segundos').parametros
  const address = ADDRESS.exec(program.said())?.[0]
  const headers = { 'X-API-Key': keyIn(program.said()) ?? '' }
  const answer = fetch(`${address}/api/consultar?uf=AM&cnpj=${cnpj}`, { headers })
  const pages = /Simulador +(http:\S+)/.exec(program.said())?.[1] ?? ''
  while ((await queriesAt(pages)) === 0) await pausa()
  assert.ok(program.child.pid)
  process.kill(-program.child.pid, 'SIGINT')
  assert.equal((await answer).status, 200)
  assert.equal(await program.ended, 0)
})

test('"npm run dev" starts it too, watching', async () => {
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const [, ...flags] = String(scripts.dev).split(' ').slice(0, -1)
  assert.match(flags.join(' '), /--watch-path=src/)
  const absolute = flags.map((flag) => flag.replace('-path=', `-path=${root}/`))
  const program = await startServer({}, LAST_LINE, { node: absolute })
  assert.match(program.said(), /Consulta Fiscal no ar/)
  program.child.kill('SIGTERM')
  await program.ended
})

test('a client that leaves before the answer is a line of the log, not an alarm', async () => {
  const program = await startServer({ LOG_LEVEL: 'info' }, LAST_LINE)
  const { cnpj = '' } = findRow('responde certo depois de 2 segundos').parametros
  const address = ADDRESS.exec(program.said())?.[0]
  const headers = { 'X-API-Key': keyIn(program.said()) ?? '' }
  const leave = new AbortController()
  const asked = fetch(`${address}/api/consultar?uf=BA&cnpj=${cnpj}`, { headers, signal: leave.signal })
  const pages = /Simulador +(http:\S+)/.exec(program.said())?.[1] ?? ''
  while ((await queriesAt(pages)) === 0) await pausa()
  leave.abort()
  await assert.rejects(asked, { name: 'AbortError' })
  await program.says(/"http":499/)
  assert.doesNotMatch(program.said(), /unexpected failure/)
  assert.match(program.said(), /"endpoint":"\/api\/consultar","cnpj":"9876\*{8}\d{2}","http":499/)
  await program.stop()
})

/** Half of a request: the server has it in hand, and waits for its body. Gives what sends the rest. */
async function sendHalf(port: number): Promise<() => Promise<string>> {
  const socket = connect(port, '127.0.0.1')
  let answer = ''
  socket.on('data', (chunk) => {
    answer += chunk
  })
  socket.on('error', () => undefined)
  const closed = new Promise((resolve) => socket.once('close', resolve))
  await new Promise((resolve) =>
    socket.write(
      'POST /health HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n',
      resolve,
    ),
  )
  await new Promise((resolve) => socket.once('data', resolve))
  return async () => {
    socket.write('{}')
    await closed
    return answer
  }
}

test('Ctrl-C answers what is in flight before the process ends', async () => {
  const program = await startServer({}, LAST_LINE)
  const finish = await sendHalf(Number(ADDRESS.exec(program.said())?.[1]))
  program.child.kill('SIGINT')
  await program.says(/Encerrando/)
  assert.match(await finish(), /HTTP\/1\.1 405 .+METODO_NAO_PERMITIDO/s)
  assert.equal(await program.ended, 0)
})

for (const [name, { npm, signals, code }] of Object.entries({
  'what a busy npm hands on of a Ctrl-C is no second one': { npm: true, signals: 2, code: 0 },
  'a second Ctrl-C stops at once, also under npm, which has handed on the first': {
    npm: true,
    signals: 3,
    code: 130,
  },
  'without npm the next SIGINT is a second Ctrl-C': { npm: false, signals: 2, code: 130 },
}))
  test(name, async () => {
    const folder = { DATA_DIR: join(pasta, `eco-${npm}-${signals}`) }
    const program = await startServer({ ...folder, ...(npm && { npm_lifecycle_event: 'start' }) }, LAST_LINE)
    const port = Number(ADDRESS.exec(program.said())?.[1])
    const [first, second] = [await sendHalf(port), await sendHalf(port)]
    program.child.kill('SIGINT')
    await program.says(/Encerrando/)
    // npm passed one on after more than half a second on a busy machine (2026-11-30).
    const before = performance.now()
    while (performance.now() - before < 600) await pausa()
    program.child.kill('SIGINT')
    if (npm) assert.match(await first(), /METODO_NAO_PERMITIDO/)
    if (signals === 3) program.child.kill('SIGINT')
    else if (npm) assert.match(await second(), /METODO_NAO_PERMITIDO/)
    assert.equal(await program.ended, code)
  })

test('BOOTSTRAP_API_KEY is the key of the initial account', async () => {
  const { stdout } = await run(process.execPath, [join(root, 'bin/fiscal.js'), 'contas', 'chave-nova'])
  const key = keyIn(stdout) ?? ''
  const started = await startServer({ BOOTSTRAP_API_KEY: key }, LAST_LINE)
  assert.match(started.said(), new RegExp(key))
  assert.equal(await started.stop(), 0)
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

test('a data folder that is a file, or cannot be written, is said clearly', async () => {
  const started = await startServer({ DATA_DIR: join(root, 'package.json') }, /nunca/)
  assert.equal(await started.ended, 1)
  assert.match(started.said(), /não é uma pasta/)
})

test('a base that was damaged is said clearly, with the way out', async () => {
  writeFileSync(join(pasta, 'dados/cnpj/ativa'), '2031-01\n')
  const program = await startServer({}, /nunca/)
  assert.equal(await program.ended, 1)
  assert.match(program.said(), /não pôde ser aberta.*cnpj ativar/s)
  assert.doesNotMatch(program.said(), / {4}at /)
})
