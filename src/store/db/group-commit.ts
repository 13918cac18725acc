import { setImmediate as nextTurn } from 'node:timers/promises'
import { isConnectionLost } from './connection-lost.ts'

export type GroupCommit<I, O> = {
  /** Resolves with the outcome of `item` once the commit that carries it has returned. */
  add: (item: I) => Promise<O>
  /** Refuses newcomers and waits for what is queued. */
  close: () => Promise<void>
}

type Waiting<I, O> = { item: I; resolve: (outcome: O) => void; reject: (error: unknown) => void }

/**
 * Lets items that wait for a commit share one. There is no timer: what arrives within one turn of the event loop, or
 * while a commit is in flight, is the next group. `commit` answers each item in order, all or nothing; when it fails
 * for a group, its items are tried one by one, so that only the culprit hears of the failure; but when the database
 * cannot be reached, all hear of it at once.
 */
export function openGroupCommit<I, O>(commit: (items: I[]) => Promise<O[]>, max = 500): GroupCommit<I, O> {
  let queue: Waiting<I, O>[] = []
  let closed = false
  let running: Promise<void> | undefined

  async function run(): Promise<void> {
    await nextTurn()
    while (queue.length > 0) {
      const group = queue.slice(0, max)
      queue = queue.slice(max)
      await commitGroup(group, commit)
      await nextTurn()
    }
    running = undefined
  }

  return {
    add: (item) => {
      if (closed) return Promise.reject(new Error('closed: no commit will follow'))
      return new Promise((resolve, reject) => {
        queue.push({ item, resolve, reject })
        running ??= run()
      })
    },
    close: async () => {
      closed = true
      await running
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
    if (group.length === 1 || isConnectionLost(error)) for (const { reject } of group) reject(error)
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
