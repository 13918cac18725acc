/**
 * Remembers what `make` gives for some labels. To find a metric's child by its labels costs more than to
 * count: prom-client hashes an object for each request.
 */
export function children<C>(make: (...labels: string[]) => C): (...labels: string[]) => C {
  const known = new Map<string, C>()
  return (...labels) => {
    const key = labels.join(' ')
    const found = known.get(key)
    if (found) return found
    const made = make(...labels)
    known.set(key, made)
    return made
  }
}
