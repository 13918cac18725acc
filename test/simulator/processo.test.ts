import assert from 'node:assert/strict'
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, type TestContext, test } from 'node:test'
import { createAutoridades } from '../../simulator/abrir.ts'
import { startSimulator } from '../../src/platform/simulator.ts'
import { until } from '../nfe/prova.ts'
import { ask } from './cliente.ts'

const MAIN = join(import.meta.dirname, '../../simulator/main.ts')

let folder: string
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'simulador-'))
})
after(() => rm(folder, { recursive: true }))

/**
 * Starts a simulator in a process of its own. Gives the process once it is ready, with its output until then;
 * it stops when the test ends.
 */
async function start(t: TestContext, ...options: string[]): Promise<{ child: ChildProcess; line: string }> {
  const child = spawn(process.execPath, [MAIN, '--pasta', folder, ...options], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  t.after(() => child.kill('SIGKILL'))
  assert.ok(child.stdout)
  const [line] = await once(child.stdout.setEncoding('utf8'), 'data')
  return { child, line: String(line) }
}

function run(...args: string[]): Promise<{ code: number; stdout: string; stderr: string }> {
  return new Promise((resolve) => {
    execFile(process.execPath, [MAIN, ...args], (error, stdout, stderr) => {
      resolve({ code: Number(error?.code ?? 0), stdout, stderr })
    })
  })
}

test('the simulator says in one line where it is, serves there, and ends with its parent', async (t) => {
  const { child, line } = await start(t, '--com-pai')
  assert.match(line, /^\{"endereco":"http:\/\/127\.0\.0\.1:\d+"\}\n$/)
  const { endereco } = JSON.parse(line)
  assert.equal((await fetch(endereco)).status, 200)
  const { ca, gateway } = JSON.parse(await (await fetch(`${endereco}/ambiente.json`)).text())
  for (const name of createAutoridades({ agora: () => new Date() }).flatMap(({ hosts }) => hosts))
    assert.ok((await ask({ port: gateway.port, ca, name })).status, name)
  child.stdin?.end()
  assert.deepEqual(await once(child, 'exit'), [0, null])
})

test('a simulator started again is the same to a service that goes on', async (t) => {
  const ambienteDe = async () => {
    const { child, line } = await start(t)
    const { gateway, ...ambiente } = JSON.parse(
      await (await fetch(`${JSON.parse(line).endereco}/ambiente.json`)).text(),
    )
    child.kill('SIGKILL')
    const webhook = ambiente.captcha.webhook.replace(String(gateway.port), 'PORT')
    return { ...ambiente, captcha: { ...ambiente.captcha, webhook } }
  }
  assert.deepEqual(await ambienteDe(), await ambienteDe())
})

test('the simulator ends in order when it is told to', async (t) => {
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    const { child } = await start(t)
    child.kill(signal)
    assert.deepEqual(await once(child, 'exit'), [0, null])
  }
})

test('the simulator says in Portuguese what it takes, and what it cannot do', async (t) => {
  const help = await run('--ajuda')
  assert.equal(help.code, 0)
  assert.match(help.stdout, /--com-pai/)
  for (const [args, code, complaint] of [
    [[], 2, /Falta --pasta/],
    [['--nada'], 2, /Opção desconhecida/],
    [['nada'], 2, /Comando desconhecido: nada/],
    [['--pasta', folder, '--porta', '70000'], 1, /--porta deve ser/],
    [['--pasta', folder, '--ritmo', '-1'], 2, /Opção desconhecida/],
    [['--pasta', folder, '--ritmo', 'x'], 1, /--ritmo deve ser/],
  ] as const) {
    const { code: found, stderr, stdout } = await run(...args)
    assert.deepEqual([found, stdout], [code, ''], args.join(' '))
    assert.match(stderr, complaint)
  }
  const { line } = await start(t)
  const { port } = new URL(JSON.parse(line).endereco)
  assert.match((await run('--pasta', folder, '--porta', port)).stderr, /já está em uso/)
})

test('the list of documents to try is printed as text, JSON and Markdown', async () => {
  const [text, json, markdown] = await Promise.all([
    run('documentos'),
    run('documentos', '--json'),
    run('documentos', '--markdown'),
  ])
  assert.ok(Array.isArray(JSON.parse(json.stdout)))
  assert.match(markdown.stdout, /^# /m)
  assert.notEqual(text.stdout, '')
})

test('the pages print the address that the service really has and its demonstration key', async (t) => {
  const simulator = await startSimulator({ pasta: await outraPasta(t), onCrash: assert.fail })
  t.after(simulator.stop)
  const pageOf = async () => (await fetch(simulator.endereco)).text()
  assert.match(await pageOf(), /export SERVICO=http:\/\/localhost:8080\n/)
  simulator.present({ servico: 'http://127.0.0.1:9191', chave: 'fk_demonstracao' })
  await until(async () => (await pageOf()).includes('export SERVICO=http://127.0.0.1:9191\n'))
  assert.match(await pageOf(), /export CHAVE=fk_demonstracao</)
})

test('the simulator keeps its port from start to start where it is free, and takes another where it is not', async (t) => {
  const pasta = await outraPasta(t)
  const first = await startSimulator({ pasta, onCrash: assert.fail })
  // A command starts one like this, beside the running service's.
  const beside = await startSimulator({ pasta, onCrash: assert.fail })
  t.after(beside.stop)
  assert.notEqual(beside.endereco, first.endereco)
  await first.stop()
  const again = await startSimulator({ pasta, onCrash: assert.fail })
  t.after(again.stop)
  assert.equal(again.endereco, first.endereco)
})

async function outraPasta(t: TestContext): Promise<string> {
  const pasta = await mkdtemp(join(tmpdir(), 'simulador-porta-'))
  t.after(() => rm(pasta, { recursive: true }))
  return pasta
}
