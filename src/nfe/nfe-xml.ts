import type { Cache } from '../platform/cache/cache.ts'
import { openSelo, openText, sealText } from '../platform/secrets.ts'

/** The XML of delivered notes, by access key, for 24 hours. It is encrypted in the database and in memory. */
export type NfeCache = {
  /**
   * The XML of a note, and since when it is kept; undefined if none is or another secret sealed it. The
   * caller checks the right to see it.
   */
  find: (chave: string) => Promise<{ xml: string; since: string } | undefined>
  /** Keeps the XML of a note. Resolves as `put` of the cache does. */
  keep: (chave: string, xml: string) => Promise<void>
}

const TTL_MS = 24 * 60 * 60_000

const keyOf = (chave: string): string => `nfe-xml/1:${chave}`

/** Opens the notes that a cache keeps. */
export function openNfeCache(cache: Cache, secret: string): NfeCache {
  const selo = openSelo(secret, 'nfe xml')
  return {
    find: async (chave) => {
      const key = keyOf(chave)
      const sealed = await cache.find<string>(key)
      if (!sealed) return undefined
      const xml = openText(selo, sealed.value, key)
      return xml === undefined ? undefined : { xml, since: sealed.since }
    },
    keep: (chave, xml) => {
      const key = keyOf(chave)
      return cache.put({ key, ttlMs: TTL_MS }, sealText(selo, xml, key))
    },
  }
}
