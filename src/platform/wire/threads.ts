import { Worker } from 'node:worker_threads'

export type AskLimits = {
  timeoutMs: number
  /** The most memory of buffers, which the thread's own limits do not count. It is measured now and then. */
  maxBytes?: number
  /** The most CPU time of the thread, in ms. It bounds the work, however slow a busy machine does it. */
  maxCpuMs?: number
  signal?: AbortSignal | undefined
  late: () => Error
}

type Bounds = Pick<AskLimits, 'maxBytes' | 'maxCpuMs'>

/** A thread may fill some 50 MB in this time. */
const LOOK_MS = 50

type Watch = { 'watch:require': unknown } | { 'watch:import': unknown }

/**
 * Asks a thread one question. Rejects if the thread fails, passes a limit or the caller gives up; the thread
 * may then still be at work, so the caller must stop it.
 */
function askThread<Task, Reply extends object>(
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

export class QueueFull extends Error {
  override readonly name = 'QueueFull'
  /** The owner's share is full, or the whole queue. A wait that took too long counts as the whole queue. */
  readonly part: 'owner' | 'all'

  constructor(part: 'owner' | 'all') {
    super(part === 'owner' ? "the owner's share of the queue is full" : 'the queue is full')
    this.part = part
  }
}

export type QueueSize = { places: number; waiting: number; perOwner: number }

export type TurnRequest = { owner: string; waitMs?: number; signal?: AbortSignal | undefined }

type Waiter = { call: () => void }

/** Turns go round the owners: a busy one delays only itself. Throws QueueFull, or the signal's reason. */
export function createQueue({
  places,
  ...limits
}: QueueSize): <T>(request: TurnRequest, work: () => Promise<T>) => Promise<T> {
  const line = openLine(limits)
  let free = places

  function enter(request: TurnRequest): Promise<void> | undefined {
    request.signal?.throwIfAborted()
    if (free === 0) return line.wait(request)
    free--
    return undefined
  }

  return async (request, work) => {
    await enter(request)
    try {
      return await work()
    } finally {
      if (!line.callNext()) free++
    }
  }
}

type Line = { wait: (request: TurnRequest) => Promise<void>; callNext: () => boolean }

/** The requests that wait, by owner. The owner whose turn it was goes to the end of the line. */
function openLine({ waiting, perOwner }: Omit<QueueSize, 'places'>): Line {
  const owners = new Map<string, Waiter[]>()
  let count = 0

  function drop(owner: string, waiter: Waiter): boolean {
    const own = owners.get(owner) ?? []
    if (!own.includes(waiter)) return false
    count--
    keep(
      owner,
      own.filter((other) => other !== waiter),
    )
    return true
  }

  function keep(owner: string, own: Waiter[]): void {
    if (own.length > 0) owners.set(owner, own)
    else owners.delete(owner)
  }

  return {
    wait: ({ owner, waitMs = Number.POSITIVE_INFINITY, signal }) => {
      const own = owners.get(owner) ?? []
      if (own.length >= perOwner) throw new QueueFull('owner')
      if (count >= waiting) throw new QueueFull('all')
      const { promise, resolve, reject } = Promise.withResolvers<void>()
      const waiter = { call: resolve }
      const giveUp = (reason: unknown): void => {
        if (drop(owner, waiter)) reject(reason)
      }
      const onAbort = (): void => giveUp(signal?.reason)
      const timer = Number.isFinite(waitMs) && setTimeout(() => giveUp(new QueueFull('all')), waitMs)
      signal?.addEventListener('abort', onAbort, { once: true })
      owners.set(owner, [...own, waiter])
      count++
      return promise.finally(() => {
        if (timer) clearTimeout(timer)
        signal?.removeEventListener('abort', onAbort)
      })
    },
    callNext: () => {
      const [next] = owners
      if (!next) return false
      const [owner, [first, ...others]] = next
      owners.delete(owner)
      keep(owner, others)
      count--
      first?.call()
      return true
    },
  }
}

type Limits = Partial<TurnRequest> & AskLimits

type Options = {
  file: URL
  threads: number
  queue?: Omit<QueueSize, 'places'>
  idleMs?: number
  resourceLimits?: { maxOldGenerationSizeMb: number; maxYoungGenerationSizeMb: number }
}

/** It has 40 to 60 MB, and starting it takes ten usual questions: it is kept while there is work. */
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
