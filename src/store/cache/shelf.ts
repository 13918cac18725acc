import { hash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import type { Db } from '../db/db.ts'
import { openGroupCommit } from '../db/group-commit.ts'
import { type CacheRow, selectValue, upsertValues } from './io.ts'

/** `size` is the length of its JSON text. */
export type Kept = { value: unknown; until: number; size: number }

/** The values of a database's cache. The latest ones are in memory too. */
export type Shelf = {
  /** The value in memory, if it is still good. */
  remembered: (key: string) => Kept | undefined
  /** The value of a key, if one is stored and still good. */
  find: (key: string) => Promise<Kept | undefined>
  /** Stores a value. Resolves when other nodes can read it, or when a failure was logged. */
  keep: (key: string, value: unknown, ttlMs: number) => Promise<void>
  /** The name of a key in the database, where no document must stand. */
  chaveOf: (key: string) => string
  /** Waits for the running writes. */
  close: () => Promise<void>
}

export type ShelfOptions = {
  now: () => Date
  log: { error: (fields: object, message: string) => void }
  /**
   * The kind of authority that gave the answers. The simulator's are never taken for an authority's, on the
   * same database.
   */
  fonte: string
}

/**
 * The limits of the memory: entries (some 20 MB of registrations) and letters of their texts (PDFs are
 * large). The least used leaves first.
 */
const REMEMBERED = { max: 5_000, maxSize: 64 * 1024 * 1024 }

/** Opens the values that a database keeps. */
export function openShelf(db: Db, { now, log, fonte }: ShelfOptions): Shelf {
  const memory = new LRUCache<string, Kept>({ ...REMEMBERED, sizeCalculation: ({ size }) => size })
  const writes = openGroupCommit((rows: CacheRow[]) => upsertValues(db, rows))
  const chaveOf = (key: string): string => hash('sha256', `${fonte}:${key}`)

  function remembered(key: string): Kept | undefined {
    const known = memory.get(key)
    return known && now().getTime() < known.until ? known : undefined
  }

  async function find(key: string): Promise<Kept | undefined> {
    const known = remembered(key)
    if (known) return known
    const instant = now().getTime()
    const row = await selectValue(db, chaveOf(key), instant)
    if (!row) return undefined
    const kept = { value: JSON.parse(row.valor), until: row.expira_em, size: row.valor.length }
    memory.set(key, kept)
    return kept
  }

  async function keep(key: string, value: unknown, ttlMs: number): Promise<void> {
    if (ttlMs <= 0) return
    const until = now().getTime() + ttlMs
    const valor = JSON.stringify(value)
    memory.set(key, { value, until, size: valor.length })
    // The answer does not wait for the write: a lost value is asked for again.
    await writes
      .add({ chave: chaveOf(key), valor, expira_em: until })
      .catch((err) => log.error({ err }, 'the cache could not be written'))
  }

  return { remembered, find, keep, chaveOf, close: () => writes.close() }
}
