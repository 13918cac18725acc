import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { FLAGS } from '../bin/memory.js'

/** A server to measure, in a process of its own. */
export type Target = {
  name: string
  child: ChildProcess
  address: string
  keys: string[]
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

/** Starts a server, of this folder or of another, and waits until it listens. V8 is as the service has it. */
export function startTarget(
  name: string,
  file: string,
  env: Record<string, string>,
  execArgv: string[] = FLAGS,
): Promise<Target> {
  const child = fork(resolve(import.meta.dirname, file), {
    env: { ...env, PATH: process.env.PATH ?? '' },
    execArgv: [...execArgv, ...ENDS_WITH_PARENT],
  })
  return within(`the start of ${name}`, nextMessage(name, child)).then((message) => {
    const { address, keys, simulador, figures }: Omit<Target, 'name' | 'child'> = Object(message)
    return { name, child, address, keys, simulador, figures }
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

/**
 * The process's use so far: CPU of all its threads, resident memory and heap. With `live` it is measured
 * after a collection, if the process can collect.
 */
export async function usageOf(
  target: Target,
  what: 'usage' | 'live' = 'usage',
): Promise<{ cpuMs: number; rssMb: number; heapMb: number }> {
  const { cpuMs, rssMb, heapMb } = Object(await ask(target, what))
  return { cpuMs, rssMb, heapMb }
}

/** Sets how far its clock is ahead of the machine's. Its clock must be one that can be moved. */
export async function setClock(target: Target, aheadMs: number): Promise<void> {
  await ask(target, { aheadMs })
}

/** Stops a server, and waits until it has ended. */
export async function stopTarget({ name, child }: Target): Promise<void> {
  const ended = once(child, 'exit')
  child.kill('SIGTERM')
  await within(`the end of ${name}`, ended)
}
