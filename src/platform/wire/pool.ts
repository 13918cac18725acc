import { Worker } from 'node:worker_threads'
import { type AskLimits, askThread } from './ask.ts'
import { createQueue, type QueueSize, type TurnRequest } from './threads.ts'

/** A question's limits and its owner. Without an owner it shares a turn with all others that have none. */
type Limits = Partial<TurnRequest> & AskLimits

type Options = {
  /** The file that the thread runs. It answers each message with one message. */
  file: URL
  /** The most threads at once. */
  threads: number
  /** How many questions may wait; any number if left out. */
  queue?: Omit<QueueSize, 'places'>
  idleMs?: number
  resourceLimits?: { maxOldGenerationSizeMb: number; maxYoungGenerationSizeMb: number }
}

/**
 * A thread has 40 to 60 MB, and starting one takes ten times as long as a usual question. So it is kept only
 * while there is work.
 */
const IDLE_MS = 60_000

/**
 * Makes threads for work on files that may be hostile: a late, aborted or broken thread is stopped, which
 * frees its memory. Rejects with QueueFull if no more may wait; memory that `transfer` names moves to the
 * thread.
 */
export function createThreads<Task, Reply extends object>({
  file,
  threads,
  queue = { waiting: Number.POSITIVE_INFINITY, perOwner: Number.POSITIVE_INFINITY },
  idleMs = IDLE_MS,
  resourceLimits,
}: Options): (task: Task, limits: Limits, transfer?: ArrayBuffer[]) => Promise<Reply> {
  const inTurn = createQueue({ places: threads, ...queue })
  const idle: { worker: Worker; timer: NodeJS.Timeout }[] = []

  function take(): Worker {
    const kept = idle.pop()
    clearTimeout(kept?.timer)
    kept?.worker.ref()
    return kept?.worker ?? start()
  }

  function start(): Worker {
    const worker = new Worker(file, resourceLimits ? { resourceLimits } : {})
    // A thread that fails while it is idle, or while it is stopped, would end the process.
    worker.on('error', () => drop(worker))
    return worker
  }

  function drop(worker: Worker): void {
    const at = idle.findIndex((kept) => kept.worker === worker)
    if (at >= 0) clearTimeout(idle.splice(at, 1)[0]?.timer)
  }

  function keep(worker: Worker): void {
    worker.unref()
    const timer = setTimeout(() => {
      drop(worker)
      void worker.terminate()
    }, idleMs).unref()
    idle.push({ worker, timer })
  }

  return (task, limits, transfer = []) =>
    inTurn({ owner: '', ...limits }, async () => {
      limits.signal?.throwIfAborted()
      const worker = take()
      try {
        const reply = await askThread<Task, Reply>(worker, task, limits, transfer)
        keep(worker)
        return reply
      } catch (error) {
        await worker.terminate()
        throw error
      }
    })
}
