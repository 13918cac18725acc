import { createThreads } from '../wire/threads.ts'
import type { Checkpoint } from './checkpoint-worker.ts'

/** A service without load has no thread: so many transactions come first, each within a second. */
const [FIRST, CALM_MS] = [100, 1_000]
/** So many transactions are taken into the database together. Those of a busy service have 80 pages each. */
const EVERY = 25
/** From so many pages on the log is taken in to its end, so that it begins anew. */
const LONG = 2_000
/** What is not taken in by then is left to the commits. */
const MOST_MS = 10_000

/**
 * Takes the log of SQLite into the database in a thread, so that no commit waits for the disk (decision 100).
 * For the last pages it holds the connection that writes; where the thread fails, a commit that finds 4,000
 * pages does it all.
 */
export function openCheckpoints(
  arquivo: string,
  hold: <T>(work: () => Promise<T>) => Promise<T>,
): { note: (transactions: number) => void; close: () => Promise<void> } {
  const closing = new AbortController()
  const inThread = createThreads<Checkpoint, { pages: number }>({
    file: new URL('./checkpoint-worker.ts', import.meta.url),
    threads: 1,
    resourceLimits: { maxYoungGenerationSizeMb: 1, maxOldGenerationSizeMb: 16 },
  })
  const limits = { timeoutMs: MOST_MS, late: () => new Error('the log was not taken in') }
  let running: Promise<void> | undefined
  let asked = false
  let [left, last] = [FIRST, Number.NEGATIVE_INFINITY]

  async function checkpoint(work: 'take in' | 'begin anew'): Promise<number> {
    asked = true
    return (await inThread({ arquivo, work }, { ...limits, signal: closing.signal })).pages
  }

  async function takeIn(): Promise<void> {
    if ((await checkpoint('take in')) < LONG) return
    // Once more, for what was written meanwhile: then the connection is held for little.
    await checkpoint('take in')
    await hold(() => checkpoint('begin anew'))
  }

  return {
    note: (transactions) => {
      const now = performance.now()
      if (now - last > CALM_MS) left = FIRST
      last = now
      left -= transactions
      if (running || left > 0 || closing.signal.aborted) return
      // A thread that fails is tried again as late as the first one.
      running = takeIn()
        .then(
          () => EVERY,
          () => FIRST,
        )
        .then((more) => {
          left = more
          running = undefined
        })
    },
    close: async () => {
      closing.abort()
      await running
      // A thread that was stopped has closed the file, and one that has none open closes nothing.
      if (asked) await inThread({ arquivo, work: 'let go' }, limits).catch(() => {})
    },
  }
}
