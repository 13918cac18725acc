/**
 * Slices of the roots: digits-only ones by value (never more than 10^8 / slices companies each), then as many of the
 * alphanumeric ones by theirs. Whatever the distribution, a slice too large is read in several goes (`tarefas.ts`).
 */
export type Fatias = { count: number; numericas: number; alfanumericas: number }

const RAIZES = 1e8

/** `count` slices of each kind. */
export const createFatias = (count: number): Fatias => ({
  count,
  numericas: Math.ceil(RAIZES / count),
  alfanumericas: Math.ceil(36 ** 8 / count),
})

/** The slice of a root's key. */
export function fatiaDe(fatias: Fatias, raiz: number): number {
  if (raiz < RAIZES) return Math.floor(raiz / fatias.numericas)
  return fatias.count + Math.floor((raiz - RAIZES) / fatias.alfanumericas)
}

/** The smallest key of a slice. */
export function firstOf(fatias: Fatias, fatia: number): number {
  return fatia < fatias.count
    ? fatia * fatias.numericas
    : RAIZES + (fatia - fatias.count) * fatias.alfanumericas
}
