import { openWindowCount, type WindowCount } from '../platform/limits.ts'
import type { AttemptCounts } from './attempts-counts.ts'

/** The keys of a kind that are counted one by one. */
const EXACT = 20_000

/** Counts in the memory of this process. */
export function countOnThisNode({ now }: { now: () => Date }): AttemptCounts {
  const windows = new Map<string, WindowCount>()
  /** What has a window of its own length, of each kind: one kind never crowds another out. */
  function countOf(key: string, windowMs: number): WindowCount {
    const kind = key.slice(0, key.indexOf(' '))
    const known = windows.get(kind) ?? openWindowCount({ windowMs, now, exact: EXACT })
    windows.set(kind, known)
    return known
  }
  return {
    take: async (asked) => {
      for (const [at, { key, most, windowMs }] of asked.entries()) {
        const window = countOf(key, windowMs).look(key)
        if (window && window.count >= most) return { at, resetMs: window.ends - now().getTime() }
      }
      for (const { key, windowMs } of asked) countOf(key, windowMs).add(key)
      return undefined
    },
    giveBack: async (keys) => {
      for (const key of keys) windows.get(key.slice(0, key.indexOf(' ')))?.takeBack(key)
    },
  }
}
