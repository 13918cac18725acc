import type { RunRecords } from './run.ts'

/**
 * Sorts records by root, and those of one root by when they came; gives their places. Root and place go into
 * one double, which the engine's own sort handles; when they do not fit, a slower sort does.
 */
export function sortByRaiz(r: RunRecords): Uint32Array {
  let low = Number.POSITIVE_INFINITY
  let high = 0
  for (let i = 0; i < r.count; i++) {
    const raiz = r.raizes[i] ?? 0
    if (raiz < low) low = raiz
    if (raiz > high) high = raiz
  }
  const scale = 2 ** Math.ceil(Math.log2(Math.max(r.count, 1)))
  if ((high - low + 1) * scale > Number.MAX_SAFE_INTEGER) return sortSlowly(r)
  const keys = new Float64Array(r.count)
  for (let i = 0; i < r.count; i++) keys[i] = ((r.raizes[i] ?? 0) - low) * scale + i
  keys.sort()
  const places = new Uint32Array(r.count)
  for (let i = 0; i < r.count; i++) places[i] = (keys[i] ?? 0) % scale
  return places
}

function sortSlowly(r: RunRecords): Uint32Array {
  const places = Uint32Array.from({ length: r.count }, (_, i) => i)
  return places.sort((a, b) => (r.raizes[a] ?? 0) - (r.raizes[b] ?? 0) || a - b)
}
