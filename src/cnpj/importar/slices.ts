/**
 * Slices of the roots: `count` of roots of digits, each of 10^8 / count roots at most, then `count` of those
 * with letters. A slice that turns out too large is read several times (`plan.ts`).
 */
export type Slices = { count: number; digitsWidth: number; lettersWidth: number }

const NUMERIC_RAIZES = 1e8

/** `count` slices of each kind. */
export const createSlices = (count: number): Slices => ({
  count,
  digitsWidth: Math.ceil(NUMERIC_RAIZES / count),
  lettersWidth: Math.ceil(36 ** 8 / count),
})

/** The slice of a root's key. */
export function sliceOf(slices: Slices, raiz: number): number {
  if (raiz < NUMERIC_RAIZES) return Math.floor(raiz / slices.digitsWidth)
  return slices.count + Math.floor((raiz - NUMERIC_RAIZES) / slices.lettersWidth)
}

/** The smallest key of a slice. */
export function firstOf(slices: Slices, slice: number): number {
  return slice < slices.count
    ? slice * slices.digitsWidth
    : NUMERIC_RAIZES + (slice - slices.count) * slices.lettersWidth
}
