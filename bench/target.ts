import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { rmSync } from 'node:fs'
import { createConnection } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import type { Stops, Usage } from './probe.ts'
import { fromTree } from './tree.ts'

const { ARENAS, FLAGS } = await fromTree<typeof import('../bin/memory.js')>('bin/memory.js')

/** A server to measure, in a process of its own. */
export type Target = {
  name: string
  child: ChildProcess
  /** The socket at which it tells what it has used. */
  probe: string
  address: string
  keys: string[]
  /** An access token of each account, where it was started with TOKENS. */
  tokens: string[]
  /** The address of its simulator's pages, where it has a simulator. */
  simulador: string | undefined
  /** The address of its figures, where it has some. */
  figures: string | undefined
}

/** Far more than any step takes that goes on. */
export const MOST_MS = 120_000

/** Waits for a step of a bench. Throws an Error that names it where it takes longer. */
export async function within<T>(what: string, step: Promise<T>, mostMs = MOST_MS): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(new Error(`${what}: no answer in ${mostMs / 1000} s`)), mostMs)
  try {
    return await Promise.race([step, promise])
  } finally {
    clearTimeout(timer)
  }
}

/** A server that outlives a bench keeps its terminal and its pipe open, as if the bench still ran. */
const ENDS_WITH_PARENT = ['--import', fileURLToPath(new URL('./with-parent.ts', import.meta.url))]

let started = 0

/** Starts a server of this folder and waits until it listens. Its memory is limited as the service's is. */
export function startTarget(name: string, file: string, env: Record<string, string>): Promise<Target> {
  started += 1
  const probe = join(tmpdir(), `bench-${process.pid}-${started}.sock`)
  const { PATH = '', TREE } = process.env
  const child = fork(resolve(import.meta.dirname, file), {
    env: { ...ARENAS, ...env, PATH, PROBE: probe, ...(TREE && { TREE }) },
    execArgv: [...FLAGS, '--import', join(import.meta.dirname, 'probe.ts'), ...ENDS_WITH_PARENT],
  })
  return within(`the start of ${name}`, nextMessage(name, child)).then((message) => {
    const { address, keys, tokens, simulador, figures }: Omit<Target, 'name' | 'child'> = Object(message)
    return { name, child, probe, address, keys, tokens, simulador, figures }
  })
}

async function nextMessage(name: string, child: ChildProcess): Promise<unknown> {
  const said = new AbortController()
  const ended = once(child, 'exit', said).then(([code]) => {
    throw new Error(`${name} ended with ${code}`)
  })
  try {
    const [message] = await Promise.race([once(child, 'message', said), ended])
    return message
  } finally {
    said.abort()
  }
}

/** Sends the process a message, and waits for its answer. Throws where none comes. */
export async function ask({ name, child }: Target, message: object | string): Promise<unknown> {
  const answer = nextMessage(name, child)
  child.send(message)
  const what = typeof message === 'string' ? message : Object.keys(message).join(', ')
  return within(`${name}, asked for ${what}`, answer)
}

async function probed(target: Target, word: string): Promise<object> {
  const socket = createConnection(target.probe)
  socket.write(word)
  return JSON.parse(await within(`${target.name}, asked for ${word}`, text(socket)))
}

/** What the process has used so far. With `live` it is measured after a collection. */
export async function usageOf(target: Target, what: 'usage' | 'live' = 'usage'): Promise<Usage> {
  const { cpuMs, rssMb, heapMb } = Object(await probed(target, what))
  return { cpuMs, rssMb, heapMb }
}

/** How its event loop stood still since this was last asked. */
export async function stopsOf(target: Target): Promise<Stops> {
  const { longestMs, looks, upTo } = Object(await probed(target, 'stops'))
  return { longestMs, looks, upTo }
}

/** Sets how far its clock is ahead of the machine's. Its clock must be one that can be moved. */
export async function setClock(target: Target, aheadMs: number): Promise<void> {
  await ask(target, { aheadMs })
}

/** Stops a server, and waits until it has ended. */
export async function stopTarget({ name, child, probe }: Target): Promise<void> {
  const ended = once(child, 'exit')
  child.kill('SIGTERM')
  await within(`the end of ${name}`, ended)
  rmSync(probe, { force: true })
}
