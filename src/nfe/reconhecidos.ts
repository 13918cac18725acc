import type { Cache } from '../platform/cache/cache.ts'

/**
 * The certificates that an authority has taken for genuine, by fingerprint (SHA-256 of the leaf), for 24
 * hours. Anybody can make a file with another's CNPJ, so a cached answer is given to these alone.
 */
export type Reconhecidos = {
  has: (impressao: string) => Promise<boolean>
  /** Resolves as `put` of the cache does. If a mark is lost, the authority is asked again. */
  keep: (impressao: string) => Promise<void>
}

const TTL_MS = 24 * 60 * 60_000

const keyOf = (impressao: string): string => `certificado-reconhecido/1:${impressao}`

/** Opens the marks that a cache keeps, under a hash of the fingerprint. */
export const openReconhecidos = (cache: Cache): Reconhecidos => ({
  has: async (impressao) => (await cache.find<true>(keyOf(impressao))) !== undefined,
  keep: (impressao) => cache.put({ key: keyOf(impressao), ttlMs: TTL_MS }, true),
})
