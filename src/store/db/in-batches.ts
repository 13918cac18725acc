import { setImmediate as nextTurn } from 'node:timers/promises'

/** Batches of one sweep. What is left is for the next one. */
const MOST_BATCHES = 500

/**
 * Deletes in batches until one is not full; returns how many rows. On the embedded database other requests
 * run between two batches; `remove` deletes at most `size` rows and says how many.
 */
export async function deleteInBatches(
  size: number,
  remove: (size: number) => Promise<number>,
): Promise<number> {
  let total = 0
  for (let batch = 0; batch < MOST_BATCHES; batch++) {
    const deleted = await remove(size)
    total += deleted
    if (deleted < size) break
    await nextTurn()
  }
  return total
}
