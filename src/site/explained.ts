/** What people read of a code, in Portuguese. `markup.ts` says what the texts may hold. */
export type Explained = {
  meaning: string
  action: string
  /** What else is to be said of repeating, besides what the code's `retryS` tells. */
  repeat?: string
  /** Set for a refusal that comes before any endpoint is reached, whatever the address. */
  anyAddress?: true
}
