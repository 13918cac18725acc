/** Counts by name. They cross threads and go to the manifest as they are. */
export type Counts = Record<string, number>

export function count(counts: Counts, name: string, more = 1): void {
  counts[name] = (counts[name] ?? 0) + more
}

/** Adds `more` to `total`, name by name. */
export function addCounts(total: Counts, more: Counts): void {
  for (const [name, n] of Object.entries(more)) count(total, name, n)
}

/** Codes that their table lacks are counted one by one, up to this many different ones in a zip. */
export const MAX_UNKNOWN_CODES = 1000
