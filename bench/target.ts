import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'

/** A server to measure, in a process of its own. */
export type Target = {
  name: string
  child: ChildProcess
  address: string
  keys: string[]
  /** The pages of its simulator, where it has one. */
  simulador: string | undefined
}

/** Starts one and waits until it listens. */
export function startTarget(name: string, file: string, env: Record<string, string>): Promise<Target> {
  const child = fork(join(import.meta.dirname, file), { env: { ...env, PATH: process.env.PATH ?? '' } })
  return new Promise((resolve, reject) => {
    child.once('message', (message) => {
      const { address, keys, simulador }: Omit<Target, 'name' | 'child'> = Object(message)
      resolve({ name, child, address, keys, simulador })
    })
    child.once('exit', (code) => reject(new Error(`${name} ended with ${code}`)))
  })
}

/** Tells the process something, and waits for its answer. */
export async function ask({ child }: Target, message: object | string): Promise<unknown> {
  const answered = once(child, 'message')
  child.send(message)
  const [answer] = await answered
  return answer
}

/** What the process has used so far: CPU of all its threads, resident memory and heap; `live`: after a collection, where it can. */
export async function usageOf(
  target: Target,
  what: 'usage' | 'live' = 'usage',
): Promise<{ cpuMs: number; rssMb: number; heapMb: number }> {
  const { cpuMs, rssMb, heapMb } = Object(await ask(target, what))
  return { cpuMs, rssMb, heapMb }
}

/** Sets how far its clock is ahead of the machine's, where it has one that can be moved. */
export async function setClock(target: Target, aheadMs: number): Promise<void> {
  await ask(target, { aheadMs })
}

/** Stops one, and waits until it has ended. */
export async function stopTarget({ child }: Target): Promise<void> {
  const ended = once(child, 'exit')
  child.kill('SIGTERM')
  await ended
}
