/** Counts by name, added to as things happen; they cross threads and go to the manifest as they are. */
export type Contagens = Record<string, number>

export function count(counts: Contagens, name: string, more = 1): void {
  counts[name] = (counts[name] ?? 0) + more
}

/** Adds `more` to `total`, name by name. */
export function addContagens(total: Contagens, more: Contagens): void {
  for (const [name, n] of Object.entries(more)) count(total, name, n)
}

/** A code that its table lacks is counted under its table and itself, up to this many different ones. */
export const CODIGOS_MAXIMO = 1000
