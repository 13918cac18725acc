import { availableParallelism } from 'node:os'
import type { Manifesto } from '../base/manifesto.ts'
import { bytesOf, type Entradas, findEntradas, versaoDe } from './entradas.ts'
import { openJournal } from './journal.ts'
import { acquireLock } from './lock.ts'
import type { ImportOptions } from './options.ts'
import { createLocalPool, createThreadPool, type ImportPool, type OnPiece } from './pool.ts'
import { decideSetup, type Setup } from './prepare.ts'
import { createProgress } from './progress.ts'
import { examine, publish } from './publicacao-publish.ts'
import { seal } from './publish.ts'
import { readZips, writeBase } from './steps.ts'
import {
  ensureRoomFor,
  type ImportStart,
  identityOf,
  openWorkFolder,
  readStart,
  type WorkFolder,
  writeStart,
} from './work-folder.ts'

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

/** Runs one step with a pool of its own, whose memory goes with it. An abort ends the pool. */
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
 * Imports the official zips of `pasta` into a new vintage under `raiz` and makes it the one that is served.
 * After a stop at any point the same call goes on there; a failure leaves the vintage in service alone.
 * @returns the manifest of the published vintage.
 * @throws ImportError: zips missing, damaged or mixed, disk full, or the gates that failed.
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
