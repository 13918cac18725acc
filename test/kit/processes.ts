import assert from 'node:assert/strict'
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, type TestContext } from 'node:test'
import { promisify } from 'node:util'
import { listRoteiro } from '../../simulator/roteiro/roteiro.ts'
import { pausa } from './basics.ts'
import { putSample } from './databases.ts'
import { BANCO_DO_BRASIL } from './house.ts'
import { sharedSimulator } from './simulator.ts'

export const root = join(import.meta.dirname, '../..')

export type Child = {
  child: ChildProcess
  /** All that it wrote so far. */
  said: () => string
  /** Resolves when it wrote a text that matches, or ended. */
  says: (pattern: RegExp) => Promise<void>
  /** Its exit code, once it ended. */
  ended: Promise<number | null>
  /** Ctrl-C; resolves with the exit code. */
  stop: () => Promise<number | null>
}

/**
 * Starts `file` of `bin/` (or any program of ours) as a user does, with only these settings. `detached` gives
 * it a process group of its own.
 */
export function startChild(
  file: string,
  args: string[],
  cwd: string,
  env: Record<string, string>,
  { node = [], detached = false }: { node?: string[]; detached?: boolean } = {},
): Child {
  const child = spawn(process.execPath, [...node, join(root, file), ...args], {
    cwd,
    detached,
    env: { PATH: process.env.PATH, ...env },
  })
  let text = ''
  const waiting = new Set<() => void>()
  const wake = () => {
    for (const check of waiting) check()
  }
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve))
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk) => {
      text += chunk
      wake()
    })
  }
  const says = (pattern: RegExp) =>
    new Promise<void>((resolve) => {
      const check = () => {
        if (!pattern.test(text)) return
        waiting.delete(check)
        resolve()
      }
      waiting.add(check)
      check()
      void ended.then(() => resolve())
    })
  const stop = () => {
    child.kill('SIGINT')
    return ended
  }
  return { child, said: () => text, says, ended, stop }
}

const FISCAL = join(import.meta.dirname, '../../bin/fiscal.js')

export type Said = { code: number; stdout: string; stderr: string }

/** Runs the `fiscal` command as an operator does, with only these settings. */
export async function fiscal(env: Record<string, string>, ...args: string[]): Promise<Said> {
  try {
    const settings = { PATH: process.env.PATH, ...env }
    return { code: 0, ...(await promisify(execFile)(process.execPath, [FISCAL, ...args], { env: settings })) }
  } catch (error) {
    const { code, stdout, stderr } = Object(error)
    return { code, stdout, stderr }
  }
}

export const run = promisify(execFile)
/** The folder that the programs of a file of tests share. */
export const pasta = join(tmpdir(), `consulta-fiscal-start-${process.pid}`)

/** Makes the shared folder. Ends what a file of tests started, after its last test. */
export function usePrograms(): void {
  before(() => mkdirSync(pasta))
  after(() => {
    for (const { child } of programs) child.kill('SIGKILL')
    rmSync(pasta, { recursive: true, force: true })
  })
}

/** All programs that were started. A test that fails in the middle leaves one behind. */
export const programs: Child[] = []

/** The server in the shared data folder, once it wrote what `until` matches or ended. */
export async function startServer(
  env: Record<string, string>,
  until: RegExp,
  how: Parameters<typeof startChild>[4] = {},
): Promise<Child> {
  const defaults = { DATA_DIR: join(pasta, 'dados'), PORT: '0', LOG_LEVEL: 'silent' }
  const program = startChild('bin/servidor.js', [], pasta, { ...defaults, ...env }, how)
  programs.push(program)
  await program.says(until)
  return program
}

export const LAST_LINE = /base-cnpj'\n/
export const keyIn = (text: string) => /fk_\w{38}/.exec(text)?.[0]

/** Whether anything listens there. */
export const answers = (address: string): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(Number(new URL(address).port), '127.0.0.1')
    socket.on('connect', () => {
      socket.destroy()
      resolve(true)
    })
    socket.on('error', () => resolve(false))
  })

/** The process id of the simulator that answers there; undefined when none does. */
export async function processAt(pages: string): Promise<number | undefined> {
  const headers = { connection: 'close' }
  const reply = await fetch(`${pages}/estatisticas.json`, { headers }).catch(() => undefined)
  return reply && Object(await reply.json()).processo
}

export const ADDRESS = /http:\/\/127\.0\.0\.1:(\d+)/

export function findRow(nota: string) {
  const row = listRoteiro().find((linha) => linha.nota === nota)
  assert.ok(row)
  return row
}

/** How many queries have reached the simulator's authorities. */
export async function queriesAt(pages: string): Promise<number> {
  const { pedidos } = Object(await (await fetch(`${pages}/estatisticas.json`)).json())
  return Object.values<number>(pedidos).reduce((sum, count) => sum + count, 0)
}

export const KEY = 'chave-de-teste-0123456789'
export const headers = { 'X-API-Key': KEY }
/** The state answers about it after two seconds. */
export const LONGA = '/api/consultar?uf=AM&cnpj=98765002000176'

/** Waits until the service takes no connection. */
export async function refused(address: string): Promise<void> {
  const knock = () => fetch(`${address}/health`, { headers: { connection: 'close' } })
  const isOpen = () =>
    knock().then(
      () => true,
      ({ message }) => assert.equal(message, 'fetch failed'),
    )
  while (await isOpen()) await pausa()
}

export async function setup(t: TestContext) {
  const pasta = mkdtempSync(join(tmpdir(), 'parada-'))
  t.after(() => rmSync(pasta, { recursive: true, force: true }))
  await putSample(join(pasta, 'dados/cnpj'))
  const SIMULATOR_URL = await sharedSimulator()
  const env = {
    DATA_DIR: join(pasta, 'dados'),
    SIMULATOR_URL,
    BOOTSTRAP_API_KEY: KEY,
    SEFAZ_MONITOR: 'desligado',
    PORT: '0',
    LOG_LEVEL: 'info',
  }
  const start = async (given = {}): Promise<Child> => {
    const program = startChild('bin/servidor.js', [], pasta, { ...env, ...given })
    t.after(() => program.child.kill('SIGKILL'))
    await program.says(/base-cnpj'\n/)
    return program
  }
  return { pasta, env, start, simulador: SIMULATOR_URL }
}

export const MAIN = join(import.meta.dirname, '../../simulator/main.ts')

let folder: string

/** The folder that the simulators of a file share. */
export const simulatorFolder = (): string => folder

/** Makes the folder that the simulators of a file share. */
export function useFolder(): void {
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'simulador-'))
  })
  after(() => rm(folder, { recursive: true }))
}

/**
 * Starts a simulator in a process of its own. Gives the process once it is ready, with its output until then;
 * it stops when the test ends.
 */
export async function spawnSimulator(
  t: TestContext,
  ...options: string[]
): Promise<{ child: ChildProcess; line: string }> {
  const child = spawn(process.execPath, [MAIN, '--pasta', folder, ...options], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  t.after(() => child.kill('SIGKILL'))
  assert.ok(child.stdout)
  const [line] = await once(child.stdout.setEncoding('utf8'), 'data')
  return { child, line: String(line) }
}

export function runSimulator(...args: string[]): Promise<{ code: number; stdout: string; stderr: string }> {
  return new Promise((resolve) => {
    execFile(process.execPath, [MAIN, ...args], (error, stdout, stderr) => {
      resolve({ code: Number(error?.code ?? 0), stdout, stderr })
    })
  })
}

export async function outraPasta(t: TestContext): Promise<string> {
  const pasta = await mkdtemp(join(tmpdir(), 'simulador-porta-'))
  t.after(() => rm(pasta, { recursive: true }))
  return pasta
}

/** An installation on the embedded database, in a folder that is lost with the test. */
export async function install(t: TestContext) {
  const pasta = mkdtempSync(join(tmpdir(), 'backup-'))
  t.after(() => rmSync(pasta, { recursive: true, force: true }))
  const dados = join(pasta, 'dados')
  const env = {
    DATA_DIR: dados,
    PORT: '0',
    LOG_LEVEL: 'silent',
    SEFAZ_MONITOR: 'desligado',
    SIMULATOR_URL: await sharedSimulator(),
  }
  const startServer = async (): Promise<Child> => {
    await putSample(join(dados, 'cnpj'))
    const program = startChild('bin/servidor.js', [], pasta, env)
    t.after(() => program.child.kill('SIGKILL'))
    await program.says(/base-cnpj'\n/)
    return program
  }
  const open = async (email: string): Promise<{ id: string; chave: string }> => {
    const made = await fiscal(
      env,
      'contas',
      'criar',
      '--nome',
      'A',
      '--email',
      email,
      '--plano',
      'enterprise',
      '--json',
    )
    assert.equal(made.code, 0, made.stderr)
    return JSON.parse(made.stdout)
  }
  return { pasta, dados, env, banco: join(dados, 'consulta-fiscal.db'), startServer, open }
}

/** Asks without pause until the server dies. Notes the ids of the answers that came whole. */
export async function askUntilDeath(address: string, chave: string, answered: string[]): Promise<void> {
  for (;;) {
    try {
      const url = `${address}/api/consultar-cnpj?cnpj=${BANCO_DO_BRASIL}`
      const response = await fetch(url, { headers: { 'X-API-Key': chave } })
      const { request_id } = JSON.parse(await response.text())
      if (response.status !== 200) throw new Error(`HTTP ${response.status}`)
      answered.push(request_id)
    } catch (error) {
      if (error instanceof TypeError || error instanceof SyntaxError) return
      throw error
    }
  }
}

export const send = (program: Child, path: string, body: object): Promise<Response> =>
  fetch(addressOf(program) + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })

/** Where a service listens. */
export const addressOf = (program: Child): string =>
  /http:\/\/127\.0\.0\.1:\d+/.exec(program.said())?.[0] ?? program.said()

/**
 * What a command finds around it. Its settings are these alone, `cwd` is the folder it is called in, and
 * `columns` is the width of its terminal; without it, it writes into pipes.
 */
type Around = { env?: Record<string, string>; cwd?: string; columns?: number }

/** Unwinds a command that ends its process. */
class Ended extends Error {}

let last: Promise<unknown> = Promise.resolve()

/**
 * Runs the `fiscal` command in this process: without a terminal, and for a tenth of what a process costs.
 * Calls at once run one after another.
 */
export const fiscalHere = (around: Around, ...args: string[]): Promise<Said> =>
  hear(async () => {
    // Who starts programs alone does without ours.
    const { main } = await import('../../src/cli/main.ts')
    await main([process.execPath, 'fiscal', ...args])
  }, around)

/** Gives what `work` writes, and the exit code that it sets or ends with. */
export function hear(work: () => Promise<unknown>, around: Around = {}): Promise<Said> {
  const run = last.then(() => hearNow(work, around))
  last = run.catch(() => {})
  return run
}

async function hearNow(work: () => Promise<unknown>, { env = {}, cwd, columns }: Around): Promise<Said> {
  const said: Said = { code: 0, stdout: '', stderr: '' }
  const before = { env: process.env, exit: process.exit, exitCode: process.exitCode, cwd: process.cwd() }
  const mask = process.umask()
  const streams = (['stdout', 'stderr'] as const).map((name) =>
    silence(name, (text) => (said[name] += text), columns),
  )
  const input = setTerminal(process.stdin)
  const ends: { code?: number | undefined } = {}
  try {
    process.env = { PATH: process.env.PATH, ...env }
    process.exitCode = undefined
    process.exit = (code) => {
      ends.code ??= Number(code ?? process.exitCode ?? 0)
      // What comes after is of a process that is over.
      for (const restore of streams) restore.ignore()
      throw new Ended()
    }
    if (cwd) process.chdir(cwd)
    await work().catch((error) => {
      if (!(error instanceof Ended)) throw error
    })
    said.code = ends.code ?? Number(process.exitCode ?? 0)
    return said
  } finally {
    Object.assign(process, { env: before.env, exit: before.exit, exitCode: before.exitCode })
    process.chdir(before.cwd)
    process.umask(mask)
    for (const { restore } of streams) restore()
    input()
  }
}

/** Hears what is written as text. A reporter of tests writes bytes, which pass. */
function silence(name: 'stdout' | 'stderr', tell: (text: string) => void, columns?: number) {
  const stream = process[name]
  const { write } = stream
  const own = Object.hasOwn(stream, 'write')
  const terminal = setTerminal(stream, columns)
  let isOver = false
  stream.write = (chunk: unknown, ...rest: unknown[]): boolean => {
    if (typeof chunk !== 'string') return Reflect.apply(write, stream, [chunk, ...rest])
    if (!isOver) tell(chunk)
    const done = rest.find((one) => typeof one === 'function')
    if (done) process.nextTick(done)
    return true
  }
  return {
    ignore: () => {
      isOver = true
    },
    restore: () => {
      if (own) stream.write = write
      else Reflect.deleteProperty(stream, 'write')
      terminal()
    },
  }
}

/** Takes the terminal from a stream, or gives it one of so many columns. Gives what undoes that. */
function setTerminal(stream: { isTTY?: boolean; columns?: number }, columns?: number): () => void {
  const set = (name: 'isTTY' | 'columns', value: boolean | number | undefined): (() => void) => {
    const kept = Object.getOwnPropertyDescriptor(stream, name)
    Object.defineProperty(stream, name, { value, configurable: true, writable: true })
    return () => {
      if (kept) Object.defineProperty(stream, name, kept)
      else Reflect.deleteProperty(stream, name)
    }
  }
  const restores = [set('isTTY', columns !== undefined), set('columns', columns)]
  return () => {
    for (const restore of restores) restore()
  }
}

/** What work gives whose standard output is a terminal of so many columns. */
export async function atTerminal<T>(columns: number, work: () => Promise<T>): Promise<T> {
  const restore = setTerminal(process.stdout, columns)
  try {
    return await work()
  } finally {
    restore()
  }
}
