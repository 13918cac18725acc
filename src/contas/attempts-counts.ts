/** What is asked of a count: its key, how many there may be, and in how long. */
export type Asked = { key: string; most: number; windowMs: number }

/** The place, in what was asked, of the first count that is used up, and the milliseconds until its end. */
export type Spent = { at: number; resetMs: number }

/** Where the counts are kept. */
export type AttemptCounts = {
  take: (asked: readonly Asked[]) => Promise<Spent | undefined>
  giveBack: (keys: readonly string[]) => Promise<void>
}
