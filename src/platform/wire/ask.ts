import type { Worker } from 'node:worker_threads'

/** The limits of one question to a thread. */
export type AskLimits = {
  timeoutMs: number
  /** The most memory of buffers, which the thread's own limits do not count. It is measured now and then. */
  maxBytes?: number
  /** The most CPU time of the thread, in ms. It bounds the work, however slow a busy machine does it. */
  maxCpuMs?: number
  /** Aborted when the caller gives up. */
  signal?: AbortSignal | undefined
  /** Makes the failure of a question that passed a limit. */
  late: () => Error
}

type Bounds = Pick<AskLimits, 'maxBytes' | 'maxCpuMs'>

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
  { timeoutMs, late, signal, ...bounds }: AskLimits,
  transfer: ArrayBuffer[],
): Promise<Reply> {
  const { promise, resolve, reject } = Promise.withResolvers<Reply>()
  const timer = setTimeout(() => reject(late()), timeoutMs)
  const watch = watchThread(worker, bounds, () => reject(late()))
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

/** Measures a thread now and then, and tells when it passes a bound. Undefined if there is no bound. */
function watchThread(
  worker: Worker,
  { maxBytes = Number.POSITIVE_INFINITY, maxCpuMs = Number.POSITIVE_INFINITY }: Bounds,
  tell: () => void,
): NodeJS.Timeout | undefined {
  if (Math.min(maxBytes, maxCpuMs) === Number.POSITIVE_INFINITY) return undefined
  let before: NodeJS.CpuUsage | undefined
  const look = async (): Promise<void> => {
    const { external_memory } = await worker.getHeapStatistics()
    if (external_memory > maxBytes) tell()
    // Two measurements may be under way at once: each is judged by what it was counted from.
    const since = before
    const { user, system } = await worker.cpuUsage(since)
    // The first measurement holds the CPU time of earlier questions.
    if (since && (user + system) / 1000 > maxCpuMs) tell()
    before ??= { user, system }
  }
  // A thread that has not begun or has just ended rejects the measurement.
  return setInterval(() => void look().catch(() => undefined), LOOK_MS)
}
