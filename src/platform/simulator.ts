import { type ChildProcess, spawn } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as delay } from 'node:timers/promises'
import { messageOf } from './errors.ts'
import { StartError } from './start.ts'
import { openTransport } from './wire/transport.ts'

const PROGRAM = join(import.meta.dirname, '../../simulator/main.ts')
const START_MS = 30_000
const RESTART_MS = 1_000

export type SimulatorProcess = {
  /** The address of its pages, `http://127.0.0.1:PORT`. The same port is the gateway to every authority. */
  endereco: string
  present: (cliente: Cliente) => void
  stop: () => Promise<void>
}

type Cliente = { servico: string; chave: string }

type Options = { pasta: string; onCrash: (why: string) => void }

export async function startSimulator({ pasta, onCrash }: Options): Promise<SimulatorProcess> {
  const stopping = new AbortController()
  const first = await launchAgain(pasta)
  const { port } = new URL(first.endereco)
  let running = first.child
  let cliente: Cliente | undefined
  const introduce = (): void => {
    if (cliente) running.stdin?.write(`${JSON.stringify(cliente)}\n`)
  }
  const next = async () => {
    const launched = await launch(pasta, port)
    running = launched.child
    introduce()
    return launched
  }
  const kept = keepAlive(first.child, next, { onCrash, signal: stopping.signal })
  return {
    endereco: first.endereco,
    present: (one) => {
      cliente = one
      introduce()
    },
    stop: async () => {
      stopping.abort()
      await kept
    },
  }
}

/**
 * Takes the port of the last start, so that bookmarks and open pages keep working, or a free port. A free
 * port is not remembered: a command beside the running service would change the service's port.
 */
async function launchAgain(pasta: string): ReturnType<typeof launch> {
  const file = join(pasta, 'porta')
  const last = await readFile(file, 'utf8').catch(() => '')
  if (/^\d{1,5}$/.test(last)) {
    const launched = await launch(pasta, last).catch(() => undefined)
    return launched ?? launch(pasta, '0')
  }
  const launched = await launch(pasta, '0')
  // Without the file, the next start has another port. Nothing else changes.
  await writeFile(file, new URL(launched.endereco).port, { mode: 0o600 }).catch(() => {})
  return launched
}

async function keepAlive(
  child: ChildProcess,
  next: () => Promise<{ child: ChildProcess }>,
  { onCrash, signal }: { onCrash: Options['onCrash']; signal: AbortSignal },
): Promise<void> {
  const kill = (): void => void child.kill()
  signal.addEventListener('abort', kill, { once: true })
  const code = await ended(child)
  signal.removeEventListener('abort', kill)
  if (signal.aborted) return
  onCrash(`it ended with ${code}`)
  const again = await retry(next, onCrash, signal)
  if (!again) return
  if (signal.aborted) again.child.kill()
  await keepAlive(again.child, next, { onCrash, signal })
}

async function retry<T>(
  next: () => Promise<T>,
  onCrash: Options['onCrash'],
  signal: AbortSignal,
): Promise<T | undefined> {
  for (;;) {
    await delay(RESTART_MS, undefined, { signal, ref: false }).catch(() => {})
    if (signal.aborted) return undefined
    try {
      return await next()
    } catch (error) {
      onCrash(messageOf(error))
    }
  }
}

const ended = (child: ChildProcess): Promise<number | null> =>
  new Promise((resolve) => child.once('close', resolve))

/** Resolves with its first line. It ends when its input closes, even after our kill -9. */
async function launch(pasta: string, porta: string): Promise<{ child: ChildProcess; endereco: string }> {
  const args = [PROGRAM, '--pasta', pasta, '--porta', porta, '--com-pai']
  // It needs none of our settings, and must not see our secrets.
  const child = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'pipe'], env: {} })
  let complaint = ''
  const listen = (chunk: unknown): void => {
    complaint = `${complaint}${chunk}`.slice(-2_000)
  }
  // Before the pipes: a process that could not be made (no file descriptors left) has none.
  child.once('error', listen)
  child.stdin.on('error', () => {})
  child.stderr.on('data', listen)
  const timer = setTimeout(() => child.kill('SIGKILL'), START_MS)
  const line = await Promise.race([
    new Promise<string>((resolve) => createInterface(child.stdout).once('line', resolve)),
    new Promise<undefined>((resolve) => child.once('close', () => resolve(undefined))),
  ])
  clearTimeout(timer)
  const endereco = /"endereco":"([^"]+)"/.exec(line ?? '')?.[1]
  if (endereco === undefined) {
    child.kill('SIGKILL')
    throw new StartError(`O simulador das autoridades não iniciou: ${complaint.trim() || 'sem mensagem'}`)
  }
  child.stderr.off('data', listen).pipe(process.stderr)
  return { child, endereco }
}

const DEADLINE_MS = 10_000

/** 2 MiB at most where nothing else is said. Throws SourceError, or SyntaxError for no such page. */
export async function readSite(
  endereco: string,
  caminho: `/${string}.json`,
  limits: { maxBytes?: number } = {},
): Promise<object> {
  const http = openTransport({ mode: 'live', ca: [], hosts: {} })
  const source = { id: 'simulador', nome: `O simulador em ${endereco}` }
  const url = endereco + caminho
  try {
    const ask = { source, method: 'GET', url, deadlineMs: DEADLINE_MS, repeatable: true } as const
    const reply = await http.send({ ...ask, ...limits })
    return Object(JSON.parse(reply.text()))
  } finally {
    await http.close()
  }
}

export async function readExemplos(
  simulador: string | undefined,
): Promise<Readonly<Record<string, Readonly<Record<string, unknown>>>>> {
  const read = simulador === undefined ? {} : await readSite(simulador, '/exemplos.json')
  return Object.fromEntries(Object.entries(read).map(([path, sent]) => [path, Object(sent)]))
}

export const readRoteiro = async (simulador: string | undefined): Promise<readonly unknown[]> =>
  simulador === undefined ? [] : Object.values(await readSite(simulador, '/documentos.json'))
