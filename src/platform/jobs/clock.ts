import { setTimeout as delay } from 'node:timers/promises'

type Looking = {
  everyMs: number
  forMs: number
  /** What passes between two looks; it may end early. */
  pause?: (ms: number) => Promise<void>
  /** Whether there is no need to look on. */
  isOver?: () => boolean
}

/**
 * Looks until there is something, for `forMs` at most, or until it is over; undefined if there never was. It
 * looks once in any case.
 */
export async function lookUntil<T>(
  look: () => Promise<T | undefined>,
  { everyMs, forMs, pause = (ms) => delay(ms), isOver = () => false }: Looking,
): Promise<T | undefined> {
  const ends = performance.now() + forMs
  for (;;) {
    const found = await look()
    if (found !== undefined) return found
    const leftMs = ends - performance.now()
    if (leftMs <= 0 || isOver()) return undefined
    await pause(Math.min(everyMs, leftMs))
  }
}
