import { Worker } from 'node:worker_threads'
import type { Setup } from './entradas.ts'
import { ImportError } from './entradas.ts'
import type { MergeTask } from './merge.ts'
import { type MergedStretch, mergeStretch } from './merge.ts'
import { type ReadTask, readZip } from './read-zip.ts'
import type { ZipRun } from './run.ts'

/** Runs the tasks of an import: in worker threads, or in this thread when there is little to do. */
export type ImportPool = {
  /** Tasks that run at once. */
  width: number
  read(task: ReadTask): Promise<ZipRun>
  merge(task: MergeTask): Promise<MergedStretch>
  close(): Promise<void>
}

/** Hears, while a zip is read, how many bytes and lines more were read. */
export type OnPiece = (bytes: number, lines: number) => void

/** What a worker thread is asked. */
export type PoolRequest = { kind: 'read'; task: ReadTask } | { kind: 'merge'; task: MergeTask }

/**
 * What a worker thread answers. `expected`: the failure is an ImportError, whose message a person can act on.
 */
export type PoolReply =
  | { kind: 'progress'; bytes: number; lines: number }
  | { kind: 'run'; run: ZipRun }
  | { kind: 'merged'; merged: MergedStretch }
  | { kind: 'failure'; message: string; expected: boolean }

type Waiting = { request: PoolRequest; done(reply: PoolReply): void; fail(error: Error): void }

/** Runs each task in this thread. A small import costs less so: no thread starts and nothing is copied. */
export function createLocalPool(setup: Setup, onPiece: OnPiece): ImportPool {
  return {
    width: 1,
    read: (task) => readZip(setup, task, onPiece),
    merge: async (task) => mergeStretch(task),
    close: async () => undefined,
  }
}

type PooledWorker = { worker: Worker; waiting: Waiting | undefined }

function listen(
  member: PooledWorker,
  onPiece: OnPiece,
  next: () => void,
  fail: (error: Error) => void,
): void {
  member.worker.on('message', (reply: PoolReply) => {
    if (reply.kind === 'progress') {
      onPiece(reply.bytes, reply.lines)
      return
    }
    const { waiting } = member
    member.waiting = undefined
    if (reply.kind === 'failure') {
      waiting?.fail(reply.expected ? new ImportError(reply.message) : new Error(reply.message))
    } else waiting?.done(reply)
    next()
  })
  member.worker.on('error', fail)
}

/** Young generation of a worker. Rows make no garbage: the default, twice as large, gains nothing. */
const YOUNG_MB = 12

/** Starts `threads` worker threads. Each takes the next task as soon as it is free. */
export function createThreadPool(setup: Setup, threads: number, onPiece: OnPiece): ImportPool {
  const queue: Waiting[] = []
  let broken: Error | undefined
  const members: PooledWorker[] = Array.from({ length: threads }, () => ({
    worker: new Worker(new URL('./worker.ts', import.meta.url), {
      workerData: setup,
      resourceLimits: { maxYoungGenerationSizeMb: YOUNG_MB },
    }),
    waiting: undefined,
  }))

  function next(): void {
    for (const member of members) {
      if (member.waiting !== undefined) continue
      member.waiting = queue.shift()
      if (member.waiting !== undefined) member.worker.postMessage(member.waiting.request)
    }
  }

  function fail(error: Error): void {
    broken = error
    for (const waiting of [...queue.splice(0), ...members.map((member) => member.waiting)])
      waiting?.fail(error)
  }

  function ask(request: PoolRequest): Promise<PoolReply> {
    if (broken !== undefined) return Promise.reject(broken)
    return new Promise((done, reject) => {
      queue.push({ request, done, fail: reject })
      next()
    })
  }

  for (const member of members) listen(member, onPiece, next, fail)
  return {
    width: threads,
    async read(task) {
      const reply = await ask({ kind: 'read', task })
      if (reply.kind !== 'run') throw new Error(`resposta inesperada: ${reply.kind}`)
      return reply.run
    },
    async merge(task) {
      const reply = await ask({ kind: 'merge', task })
      if (reply.kind !== 'merged') throw new Error(`resposta inesperada: ${reply.kind}`)
      return reply.merged
    },
    async close() {
      await Promise.all(members.map((member) => member.worker.terminate()))
      fail(new ImportError('Importação interrompida: rode o mesmo comando para continuar de onde parou.'))
    },
  }
}
