import { Worker } from 'node:worker_threads'
import { createFila, type Tamanho, type Vez } from './queue.ts'

/** The limits of one question to a thread, and its owner. Without an owner it is nobody's in particular. */
type Limits = Partial<Vez> & {
  timeoutMs: number
  /** Of buffers, which the thread's own limits do not count; looked at now and then. */
  maxBytes?: number
  /** What it fails with when a limit is passed. */
  late: () => Error
}

type Options = {
  /** The file that the thread runs; it answers each message with one. */
  file: URL
  /** At most so many at once. */
  threads: number
  /** How many questions wait; as many as come, when left out. */
  fila?: Omit<Tamanho, 'vagas'>
  idleMs?: number
  resourceLimits?: { maxOldGenerationSizeMb: number; maxYoungGenerationSizeMb: number }
}

type Watch = { 'watch:require': unknown } | { 'watch:import': unknown }

/** Starting a thread takes ten times as long as a usual question, and one has 40 to 60 MB: kept only while there is work. */
const IDLE_MS = 60_000

/** Some 50 MB may be filled in this time. */
const LOOK_MS = 50

/**
 * Threads for work on files that may be hostile: a late, aborted or broken thread is stopped, which frees its
 * memory. Rejects with FilaCheia if no more may wait; memory that `transfer` names moves to the thread.
 */
export function createThreads<Pedido, Resposta extends object>({
  file,
  threads,
  fila = { espera: Number.POSITIVE_INFINITY, porDono: Number.POSITIVE_INFINITY },
  idleMs = IDLE_MS,
  resourceLimits,
}: Options): (pedido: Pedido, limits: Limits, transfer?: ArrayBuffer[]) => Promise<Resposta> {
  const inTurn = createFila({ vagas: threads, ...fila })
  const livres: { worker: Worker; timer: NodeJS.Timeout }[] = []

  function take(): Worker {
    const livre = livres.pop()
    clearTimeout(livre?.timer)
    livre?.worker.ref()
    return livre?.worker ?? start()
  }

  function start(): Worker {
    const worker = new Worker(file, resourceLimits ? { resourceLimits } : {})
    // One that fails when nobody asks it anything, or is being stopped, would take the process with it.
    worker.on('error', () => drop(worker))
    return worker
  }

  function drop(worker: Worker): void {
    const at = livres.findIndex((livre) => livre.worker === worker)
    if (at >= 0) clearTimeout(livres.splice(at, 1)[0]?.timer)
  }

  function keep(worker: Worker): void {
    worker.unref()
    const timer = setTimeout(() => {
      drop(worker)
      void worker.terminate()
    }, idleMs).unref()
    livres.push({ worker, timer })
  }

  return (pedido, limits, transfer = []) =>
    inTurn({ dono: '', ...limits }, async () => {
      const worker = take()
      try {
        const resposta = await ask<Pedido, Resposta>(worker, pedido, limits, transfer)
        keep(worker)
        return resposta
      } catch (error) {
        await worker.terminate()
        throw error
      }
    })
}

function ask<Pedido, Resposta extends object>(
  worker: Worker,
  pedido: Pedido,
  { timeoutMs, maxBytes, late, signal }: Limits,
  transfer: ArrayBuffer[],
): Promise<Resposta> {
  const { promise, resolve, reject } = Promise.withResolvers<Resposta>()
  const timer = setTimeout(() => reject(late()), timeoutMs)
  const look = async (): Promise<void> => {
    const { external_memory } = await worker.getHeapStatistics()
    if (maxBytes !== undefined && external_memory > maxBytes) reject(late())
  }
  // One that has just ended tells no more.
  const watch =
    maxBytes === undefined ? undefined : setInterval(() => void look().catch(() => undefined), LOOK_MS)
  const onAbort = (): void => reject(signal?.reason)
  // In watch mode Node sends messages of its own by the same way.
  const onMessage = (message: Resposta | Watch): void => {
    if (!('watch:require' in message || 'watch:import' in message)) resolve(message)
  }
  worker.on('message', onMessage)
  worker.once('error', reject)
  signal?.addEventListener('abort', onAbort, { once: true })
  worker.postMessage(pedido, transfer)
  return promise.finally(() => {
    clearTimeout(timer)
    clearInterval(watch)
    signal?.removeEventListener('abort', onAbort)
    worker.removeListener('message', onMessage)
    worker.removeListener('error', reject)
  })
}
