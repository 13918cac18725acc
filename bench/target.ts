import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { rmSync } from 'node:fs'
import { createConnection } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { text } from 'node:stream/consumers'
import type { Stops, Usage } from './probe.ts'
import { fromTree } from './tree.ts'

const { FLAGS } = await fromTree<typeof import('../bin/memory.js')>('bin/memory.js')

/** A server to measure, in a process of its own. */
export type Target = {
  name: string
  child: ChildProcess
  /** The socket at which it tells what it has used. */
  probe: string
  address: string
  keys: string[]
  /** The address of its simulator's pages, where it has a simulator. */
  simulador: string | undefined
  /** The address of its figures, where it has some. */
  figures: string | undefined
}

let started = 0

/** Starts a server of this folder and waits until it listens. V8 is as the service has it. */
export function startTarget(name: string, file: string, env: Record<string, string>): Promise<Target> {
  started += 1
  const probe = join(tmpdir(), `bench-${process.pid}-${started}.sock`)
  const { PATH = '', TREE } = process.env
  const child = fork(resolve(import.meta.dirname, file), {
    env: { ...env, PATH, PROBE: probe, ...(TREE && { TREE }) },
    execArgv: [...FLAGS, '--import', join(import.meta.dirname, 'probe.ts')],
  })
  return new Promise((resolve, reject) => {
    child.once('message', (message) => {
      const { address, keys, simulador, figures }: Omit<Target, 'name' | 'child'> = Object(message)
      resolve({ name, child, probe, address, keys, simulador, figures })
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

async function probed(target: Target, word: string): Promise<object> {
  const socket = createConnection(target.probe)
  socket.write(word)
  return JSON.parse(await text(socket))
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
export async function stopTarget({ child, probe }: Target): Promise<void> {
  const ended = once(child, 'exit')
  child.kill('SIGTERM')
  await ended
  rmSync(probe, { force: true })
}
