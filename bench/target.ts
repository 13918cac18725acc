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

/** What the process has used so far: CPU of all its threads, resident memory and heap. */
export async function usageOf({ child }: Target): Promise<{ cpuMs: number; rssMb: number; heapMb: number }> {
  const answered = once(child, 'message')
  child.send('usage')
  const [usage] = await answered
  const { cpuMs, rssMb, heapMb } = Object(usage)
  return { cpuMs, rssMb, heapMb }
}

/** Stops one, and waits until it has ended. */
export async function stopTarget({ child }: Target): Promise<void> {
  const ended = once(child, 'exit')
  child.kill('SIGTERM')
  await ended
}
