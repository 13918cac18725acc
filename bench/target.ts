import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { resolve } from 'node:path'
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

/** Starts a server, of this folder or of another, and waits until it listens. V8 is as the service has it. */
export function startTarget(
  name: string,
  file: string,
  env: Record<string, string>,
  execArgv: string[] = FLAGS,
): Promise<Target> {
  const child = fork(resolve(import.meta.dirname, file), {
    env: { ...env, PATH: process.env.PATH ?? '' },
    execArgv,
  })
  return new Promise((resolve, reject) => {
    child.once('message', (message) => {
      const { address, keys, simulador, figures }: Omit<Target, 'name' | 'child'> = Object(message)
      resolve({ name, child, address, keys, simulador, figures })
    })
    child.once('exit', (code) => reject(new Error(`${name} ended with ${code}`)))
  })
}

/** Sends the process a message, and waits for its answer. */
export async function ask({ child }: Target, message: object | string): Promise<unknown> {
  const answered = once(child, 'message')
  child.send(message)
  const [answer] = await answered
  return answer
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
export async function stopTarget({ child }: Target): Promise<void> {
  const ended = once(child, 'exit')
  child.kill('SIGTERM')
  await ended
}
