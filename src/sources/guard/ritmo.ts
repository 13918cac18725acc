/** What part of its time a query may spend waiting: one sent with none left would fail, as if the source were slow. */
export const WAIT_SHARE = 0.5

/** The turns of the queries to one source. */
export type Ritmo = {
  /** How long a query of `deadlineMs` waits for its turn, which is then its own; undefined where that is too long. */
  take: (deadlineMs: number) => number | undefined
}

/** Opens the turns of a source, `gapMs` apart; the first is now. */
export function openRitmo(gapMs: number): Ritmo {
  let free = Number.NEGATIVE_INFINITY
  return {
    take: (deadlineMs) => {
      const now = performance.now()
      const turn = Math.max(now, free)
      if (turn - now > deadlineMs * WAIT_SHARE) return undefined
      free = turn + gapMs
      return turn - now
    },
  }
}
