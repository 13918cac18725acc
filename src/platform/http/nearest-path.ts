/** No declared path is nearly as long, and a longer text has no near one. */
const LONGEST = 120

/** A mistake in a third of a path, at most: beyond it the path that was meant is a guess. */
const limitFor = (length: number): number => Math.floor(length / 3)

/**
 * The declared path that an unknown address most resembles, by edit distance; undefined where none does.
 * Capitals, slashes at the end, and numbers that stand in the path (such as a CNPJ) do not count.
 */
export function nearestPath(address: string, declared: Iterable<string>): string | undefined {
  const sent = segmentsOf(address.split('?', 1)[0] ?? '')
  if (sent === undefined) return undefined
  const plain = sent.filter((segment) => !/^[\d./-]{6,}$/.test(segment)).join('/')
  let best: { path: string; distance: number } | undefined
  for (const path of declared) {
    const segments = path.split('/').filter((segment) => segment !== '')
    // From the end: a parameter is the last of a path, and what lacks is before it.
    const shift = sent.length - segments.length
    const wanted = segments.map((segment, at) =>
      segment.startsWith(':') ? (sent[at + shift] ?? '') : segment,
    )
    const text = path.includes(':') ? sent.join('/') : plain
    const limit = Math.min(limitFor(text.length), best ? best.distance - 1 : Number.POSITIVE_INFINITY)
    const distance = distanceUpTo(limit, text, wanted.join('/').toLowerCase())
    if (distance !== undefined) best = { path, distance }
  }
  return best?.path.replace(/:(\w+)/g, '{$1}')
}

function segmentsOf(path: string): string[] | undefined {
  if (path.length > LONGEST) return undefined
  return path
    .toLowerCase()
    .split('/')
    .filter((segment) => segment !== '')
}

/** Insertions, deletions and changes of a letter between two texts; undefined beyond `limit` of them. */
function distanceUpTo(limit: number, one: string, other: string): number | undefined {
  if (Math.abs(one.length - other.length) > limit) return undefined
  let row = Array.from({ length: other.length + 1 }, (_, at) => at)
  for (let at = 1; at <= one.length; at++) {
    const next = [at]
    for (let to = 1; to <= other.length; to++) {
      const changed = (row[to - 1] ?? 0) + (one[at - 1] === other[to - 1] ? 0 : 1)
      next.push(Math.min(changed, (row[to] ?? 0) + 1, (next[to - 1] ?? 0) + 1))
    }
    if (Math.min(...next) > limit) return undefined
    row = next
  }
  const distance = row[other.length] ?? 0
  return distance <= limit ? distance : undefined
}
