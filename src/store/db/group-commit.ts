import { setImmediate as nextTurn } from 'node:timers/promises'
import { isConnectionLost } from './database-away.ts'

export type GroupCommit<I, O> = {
  /** Resolves with the outcome of `item` once the commit that carries it has returned. */
  add: (item: I) => Promise<O>
  /** Refuses new items and waits for the queued ones. */
  close: () => Promise<void>
}

type Waiting<I, O> = { item: I; resolve: (outcome: O) => void; reject: (error: unknown) => void }

/**
 * Lets items share a commit: what arrives in one turn of the event loop, or during a commit, is the next
 * group. If a group fails, its items are tried one by one, so that only the culprit fails; if the database is
 * lost, all fail at once.
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
