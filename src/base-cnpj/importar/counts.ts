/** Counts by name, added to as things happen; they cross threads and go to the manifest as they are. */
export type Counts = Record<string, number>

export function count(counts: Counts, name: string, more = 1): void {
  counts[name] = (counts[name] ?? 0) + more
}

/** Adds `more` to `total`, name by name. */
export function addCounts(total: Counts, more: Counts): void {
  for (const [name, n] of Object.entries(more)) count(total, name, n)
}

/** A code that its table lacks is counted under its table and itself, up to this many different ones. */
export const MAX_UNKNOWN_CODES = 1000
