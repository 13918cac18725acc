/**
 * Gives the results of `work` for the items, in their order, with a few at a time: a loaded machine is no
 * failure.
 */
export async function inTurns<T, R>(
  items: readonly T[],
  many: number,
  work: (item: T) => Promise<R>,
): Promise<R[]> {
  const results: R[] = []
  const left = items.entries()
  const worker = async (): Promise<void> => {
    for (const [index, item] of left) results[index] = await work(item)
  }
  await Promise.all(Array.from({ length: many }, worker))
  return results
}
