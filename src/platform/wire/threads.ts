/** A turn was not given. The message is for the log; the client's text depends on `part`. */
export class QueueFull extends Error {
  override readonly name = 'QueueFull'
  /** The owner's share is full, or the whole queue. A wait that took too long counts as the whole queue. */
  readonly part: 'owner' | 'all'

  constructor(part: 'owner' | 'all') {
    super(part === 'owner' ? "the owner's share of the queue is full" : 'the queue is full')
    this.part = part
  }
}

/** How many work at once, how many wait in all, and how many of one owner wait. */
export type QueueSize = { places: number; waiting: number; perOwner: number }

/** A request for a turn. */
export type TurnRequest = {
  /** Turns go round the owners. An account is an owner. */
  owner: string
  /** Milliseconds to wait for a turn. */
  waitMs?: number
  /** Aborted when the caller gives up. Its place in the queue is then free at once. */
  signal?: AbortSignal | undefined
}

/** One request that waits for its turn. */
type Waiter = { call: () => void }

/**
 * Makes a bounded queue whose turns go round the owners, so that a busy owner delays only itself. Throws
 * QueueFull, or the signal's reason.
 */
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

type Line = {
  /** Waits for a turn. Throws QueueFull where there is no room. */
  wait: (request: TurnRequest) => Promise<void>
  /** Gives the turn to the next. False if nobody waits. */
  callNext: () => boolean
}

/** The requests that wait, by owner. The owner whose turn it was goes to the end of the line. */
function openLine({ waiting, perOwner }: Omit<QueueSize, 'places'>): Line {
  const owners = new Map<string, Waiter[]>()
  let count = 0

  /** Takes a request out of the line. False if it is not there any more. */
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
