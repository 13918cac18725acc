import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import type { Manifesto } from '../base/versao.ts'
import {
  bytesOf,
  decideSetup,
  type Entradas,
  findEntradas,
  ImportError,
  type Setup,
  versaoDe,
} from './entradas.ts'
import { type MergedStretch, type MergeTask, mergeStretch, planMerges, type RunFile } from './merge.ts'
import { createProgress, examine, type ImportOptions, publish, seal } from './publish.ts'
import { type ReadTask, readZip } from './read-zip.ts'
import { readRun, type ZipRun } from './run.ts'
import {
  acquireLock,
  ensureRoomFor,
  type ImportStart,
  identityOf,
  type Journal,
  openJournal,
  openWorkFolder,
  readStart,
  type WorkFolder,
  writeStart,
} from './work-folder.ts'

type ImportPool = {
  width: number
  read(task: ReadTask): Promise<ZipRun>
  merge(task: MergeTask): Promise<MergedStretch>
  close(): Promise<void>
}

/** Hears, while a zip is read, how many bytes and lines more were read. */
type OnPiece = (bytes: number, lines: number) => void

export type PoolRequest = { kind: 'read'; task: ReadTask } | { kind: 'merge'; task: MergeTask }

/** `expected`: the failure is an ImportError, whose message a person can act on. */
export type PoolReply =
  | { kind: 'progress'; bytes: number; lines: number }
  | { kind: 'run'; run: ZipRun }
  | { kind: 'merged'; merged: MergedStretch }
  | { kind: 'failure'; message: string; expected: boolean }

type Waiting = { request: PoolRequest; done(reply: PoolReply): void; fail(error: Error): void }

/** A small import costs less so: no thread starts and nothing is copied. */
function createLocalPool(setup: Setup, onPiece: OnPiece): ImportPool {
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

function createThreadPool(setup: Setup, threads: number, onPiece: OnPiece): ImportPool {
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

const runOf = (work: WorkFolder, nome: string): string => join(work.runs, `${nome}.run`)

/** First step: the largest zip first. `onDone` hears of each, with the bytes it was spared. */
async function readZips(
  work: WorkFolder,
  entradas: Entradas,
  pool: ImportPool,
  onDone: (bytes: number) => void,
): Promise<ZipRun[]> {
  const tasks = entradas.conjuntos.map(({ conjunto, arquivo }, place): ReadTask => {
    return { conjunto, arquivo, path: runOf(work, arquivo.nome), place }
  })
  const runs = new Map<ReadTask, ZipRun>()
  const left: ReadTask[] = []
  for (const task of tasks) {
    const done = await readRun(task.path)
    if (done === undefined) left.push(task)
    else {
      runs.set(task, done)
      onDone(task.arquivo.membro.bytes)
    }
  }
  left.sort((a, b) => b.arquivo.membro.bytes - a.arquivo.membro.bytes)
  async function takeTurns(): Promise<void> {
    for (let task = left.shift(); task !== undefined; task = left.shift()) {
      runs.set(task, await pool.read(task))
      onDone(0)
    }
  }
  await Promise.all(Array.from({ length: pool.width }, takeTurns))
  return tasks.flatMap((task) => runs.get(task) ?? [])
}

/** Second step: stretch after stretch of roots, in order, without those that an earlier try wrote. */
async function writeBase(
  work: WorkFolder,
  runs: ZipRun[],
  setup: Setup,
  pool: ImportPool,
  journal: Journal,
  onTask: (done: number, total: number, estabelecimentos: number) => void,
): Promise<void> {
  const runFiles = runs.map((run): RunFile => ({ path: runOf(work, run.nome), run }))
  const tasks = planMerges(runFiles, setup.fatias, setup.trecho)
  const ahead: Promise<MergedStretch>[] = []
  let next = journal.done.length
  const tell = (): void => {
    const estabelecimentos = journal.done.reduce((sum, one) => sum + (one.contagens.estabelecimentos ?? 0), 0)
    onTask(journal.done.length, tasks.length, estabelecimentos)
  }
  tell()
  while (journal.done.length < tasks.length) {
    for (; ahead.length < pool.width + 1; next++) {
      const task = tasks[next]
      if (task === undefined) break
      const merged = pool.merge(task)
      merged.catch(() => undefined)
      ahead.push(merged)
    }
    const first = await ahead.shift()
    if (first === undefined) break
    await journal.put(first)
    tell()
  }
}

/** For less CSV than this, threads cost more than they give. */
const FEW_BYTES = 48 << 20

async function begin(work: WorkFolder, entradas: Entradas, options: ImportOptions): Promise<ImportStart> {
  const identidade = identityOf(entradas, options.amostra ?? false)
  const known = readStart(work, identidade)
  if (known !== undefined) return known
  const now = options.now()
  const start = { identidade, iniciado: now.toISOString(), preparo: await decideSetup(entradas, now) }
  writeStart(work, start)
  return start
}

/** The memory of the pool goes with it. An abort ends it. */
async function withPool<T>(
  setup: Setup,
  bytes: number,
  options: ImportOptions,
  onPiece: OnPiece,
  step: (pool: ImportPool) => Promise<T>,
): Promise<T> {
  options.signal?.throwIfAborted()
  const threads = options.threads ?? (bytes < FEW_BYTES ? 0 : availableParallelism())
  const checked: OnPiece = (more, lines) => {
    options.signal?.throwIfAborted()
    onPiece(more, lines)
  }
  const pool = threads > 0 ? createThreadPool(setup, threads, onPiece) : createLocalPool(setup, checked)
  const stop = (): void => void pool.close()
  options.signal?.addEventListener('abort', stop)
  try {
    return await step(pool)
  } finally {
    options.signal?.removeEventListener('abort', stop)
    await pool.close()
  }
}

async function run(
  work: WorkFolder,
  entradas: Entradas,
  qual: { versao: string; token: string },
  options: ImportOptions,
): Promise<Manifesto> {
  const start = await begin(work, entradas, options)
  const { preparo: setup } = start
  const bytes = bytesOf(entradas)
  const progress = createProgress(bytes, options.onProgress)
  const runs = await withPool(setup, bytes, options, progress.read, (pool) =>
    readZips(work, entradas, pool, (done) => progress.read(done, 0)),
  )
  const journal = await openJournal(work)
  try {
    await withPool(setup, bytes, options, progress.read, (pool) =>
      writeBase(work, runs, setup, pool, journal, (done, total, written) => {
        options.signal?.throwIfAborted()
        progress.merged(done, total, written)
      }),
    )
    progress.tell('conferencia')
    const amostra = options.amostra ?? false
    const finished = { ...qual, amostra, start, entradas, runs, concluido: options.now() }
    const manifesto = await seal(work, journal, finished)
    examine(work, finished, manifesto, new Set(journal.done.flatMap((one) => one.repetidos)), options)
    progress.tell('publicacao')
    return manifesto
  } finally {
    await journal.close()
  }
}

/**
 * After a stop at any point the same call goes on there; a failure leaves the vintage in service alone.
 * Throws ImportError: zips missing, damaged or mixed, disk full, or the gates that failed.
 */
export async function importCnpj(options: ImportOptions): Promise<Manifesto> {
  const amostra = options.amostra ?? false
  const entradas = await findEntradas(options.pasta, amostra)
  const qual = versaoDe(entradas, options.pasta, options.versao, options.now())
  const lock = acquireLock(options.raiz)
  try {
    const work = openWorkFolder(options.raiz, qual.versao)
    await ensureRoomFor(work, entradas, options)
    const manifesto = await run(work, entradas, qual, options)
    publish(work, qual.versao, options)
    return manifesto
  } finally {
    lock.release()
  }
}
