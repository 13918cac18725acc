import { setImmediate as nextTurn } from 'node:timers/promises'
import { DatabaseAway } from './outage.ts'

export type GroupCommit<I, O> = {
  /** Resolves with the outcome of `item` once the commit that carries it has returned. */
  add: (item: I) => Promise<O>
  /** The milliseconds for which the oldest item without an outcome has waited; 0 where none waits. */
  oldestMs: () => number
  /** Refuses new items and waits for the queued ones. */
  close: () => Promise<void>
}

type Waiting<I, O> = {
  item: I
  since: number
  resolve: (outcome: O) => void
  reject: (error: unknown) => void
}

type Limits = {
  /** The largest group. */
  max?: number
  /** For how long an item waits for its commit to begin. Then it is refused, with DatabaseAway. */
  waitMs?: number
}

/**
 * Lets items share a commit: what arrives in one turn of the event loop, or during a commit, is the next
 * group. If a group fails, its items are tried one by one, so that only the culprit fails; if the database is
 * what failed, all fail at once.
 */
export function openGroupCommit<I, O>(
  commit: (items: I[]) => Promise<O[]>,
  { max = 500, waitMs }: Limits = {},
): GroupCommit<I, O> {
  let queue: Waiting<I, O>[] = []
  let group: Waiting<I, O>[] = []
  let closed = false
  let running: Promise<void> | undefined
  let timer: NodeJS.Timeout | undefined

  async function run(): Promise<void> {
    await nextTurn()
    while (queue.length > 0) {
      group = queue.slice(0, max)
      queue = queue.slice(max)
      await commitGroup(group, commit)
      group = []
      await nextTurn()
    }
    running = undefined
  }

  /** Refuses those that have waited too long behind a commit that does not end, and looks again later. */
  function refuseLate(limitMs: number): void {
    const before = performance.now() - limitMs
    const late = queue.filter(({ since }) => since <= before)
    queue = queue.slice(late.length)
    for (const { reject } of late)
      reject(new DatabaseAway(new Error('the commit before has not ended'), { lost: false }))
    const [next] = queue
    timer = next && setTimeout(refuseLate, next.since - before, limitMs).unref()
  }

  return {
    add: (item) => {
      if (closed) return Promise.reject(new Error('closed: no commit will follow'))
      return new Promise((resolve, reject) => {
        queue.push({ item, since: performance.now(), resolve, reject })
        running ??= run()
        if (waitMs !== undefined) timer ??= setTimeout(refuseLate, waitMs, waitMs).unref()
      })
    },
    oldestMs: () => {
      const [oldest = queue[0]] = group
      return oldest ? performance.now() - oldest.since : 0
    },
    close: async () => {
      closed = true
      await running
      clearTimeout(timer)
    },
  }
}

async function commitGroup<I, O>(
  group: Waiting<I, O>[],
  commit: (items: I[]) => Promise<O[]>,
): Promise<void> {
  try {
    answer(group, await commit(group.map(({ item }) => item)))
  } catch (error) {
    if (group.length === 1 || error instanceof DatabaseAway) for (const { reject } of group) reject(error)
    else for (const waiting of group) await commitGroup([waiting], commit)
  }
}

function answer<I, O>(group: Waiting<I, O>[], outcomes: O[]): void {
  for (const [index, waiting] of group.entries()) {
    const outcome = outcomes[index]
    if (outcome === undefined) waiting.reject(new Error('the commit gave no outcome'))
    else waiting.resolve(outcome)
  }
}
