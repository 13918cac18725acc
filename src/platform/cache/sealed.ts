import { openSelo, openText, sealText } from '../secrets.ts'
import { trusted } from '../trusted.ts'
import { type Cache, type CacheEntry, type Got, type Load, NOTHING_KEPT } from './cache.ts'

/** Values about persons: encrypted in the database and in memory, and found by a keyed hash of their key. */
export type SealedCache = {
  find: <T>(key: string, maxAgeMs?: number) => Promise<Got<T> | undefined>
  through: <T>(entry: CacheEntry<T>, load: Load<T>) => Promise<Got<T> & { cached: boolean }>
  put: (entry: { key: string; ttlMs: number }, value: unknown) => Promise<void>
}

export function openSealedCache(cache: Cache, secret: string): SealedCache {
  const selo = openSelo(secret, 'cache')
  // A CPF has few digits: whoever has the database could try them all against a plain hash.
  const hidden = (key: string): string => {
    const shape = key.slice(0, key.indexOf(':'))
    return `${shape}:${selo.mac(key)}`
  }
  return {
    find: async <T>(key: string, maxAgeMs?: number) => {
      const kept = await cache.find<string>(hidden(key), maxAgeMs)
      const text = kept && openText(selo, kept.value, key)
      // Proven by the key: its first part names the shape, and only `put` stores under it.
      return kept && text !== undefined
        ? { value: trusted<T>(JSON.parse(text)), since: kept.since }
        : undefined
    },
    through: async <T>({ key, ttlMs, ...limits }: CacheEntry<T>, load: Load<T>) => {
      const open = (sealed: string): T | undefined => {
        const text = openText(selo, sealed, key)
        // Proven by the key, as in `find`.
        return text === undefined ? undefined : trusted<T>(JSON.parse(text))
      }
      const ttlOf = (sealed: string): number => {
        if (typeof ttlMs === 'number') return ttlMs
        const value = open(sealed)
        return value === undefined ? 0 : ttlMs(value)
      }
      const ask = (maxAgeMs: number | undefined) =>
        cache.through<string>({ ...limits, key: hidden(key), ttlMs: ttlOf, maxAgeMs }, async (leftMs) =>
          sealText(selo, JSON.stringify(await load(leftMs)), key),
        )
      let got = await ask(limits.maxAgeMs)
      let value = open(got.value)
      if (value === undefined) {
        got = await ask(NOTHING_KEPT)
        value = open(got.value)
      }
      if (value === undefined) throw new Error('a value that was just sealed does not open')
      return { ...got, value }
    },
    put: ({ key, ttlMs }, value) =>
      cache.put({ key: hidden(key), ttlMs }, sealText(selo, JSON.stringify(value), key)),
  }
}
