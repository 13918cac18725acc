import type { Worker } from 'node:worker_threads'

/** The limits of one question to a thread. */
export type AskLimits = {
  timeoutMs: number
  /** The most memory of buffers, which the thread's own limits do not count. It is measured now and then. */
  maxBytes?: number
  /** Aborted when the caller gives up. */
  signal?: AbortSignal | undefined
  /** Makes the failure of a question that passed a limit. */
  late: () => Error
}

/** A thread may fill some 50 MB in this time. */
const LOOK_MS = 50

/** What Node sends to a thread in watch mode. */
type Watch = { 'watch:require': unknown } | { 'watch:import': unknown }

/**
 * Asks a thread one question. Rejects if the thread fails, passes a limit or the caller gives up; the thread
 * may then still be at work, so the caller must stop it.
 */
export function askThread<Task, Reply extends object>(
  worker: Worker,
  task: Task,
  { timeoutMs, maxBytes, late, signal }: AskLimits,
  transfer: ArrayBuffer[],
): Promise<Reply> {
  const { promise, resolve, reject } = Promise.withResolvers<Reply>()
  const timer = setTimeout(() => reject(late()), timeoutMs)
  const look = async (): Promise<void> => {
    const { external_memory } = await worker.getHeapStatistics()
    if (maxBytes !== undefined && external_memory > maxBytes) reject(late())
  }
  // A thread that has just ended rejects the measurement.
  const watch =
    maxBytes === undefined ? undefined : setInterval(() => void look().catch(() => undefined), LOOK_MS)
  const onAbort = (): void => reject(signal?.reason)
  const onMessage = (message: Reply | Watch): void => {
    if (!('watch:require' in message || 'watch:import' in message)) resolve(message)
  }
  worker.on('message', onMessage)
  worker.once('error', reject)
  signal?.addEventListener('abort', onAbort, { once: true })
  worker.postMessage(task, transfer)
  return promise.finally(() => {
    clearTimeout(timer)
    clearInterval(watch)
    signal?.removeEventListener('abort', onAbort)
    worker.removeListener('message', onMessage)
    worker.removeListener('error', reject)
  })
}
