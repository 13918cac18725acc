import { trusted } from '../../domain/trusted.ts'
import type { Db } from '../db/db.ts'
import { sweepLeases } from '../jobs/lease-row.ts'
import { deleteExpired } from './io.ts'
import { type Entry, type Load, type Loaded, loadInTurn } from './load-in-turn.ts'
import { openShelf, type ShelfOptions } from './shelf.ts'

/** A value to keep. `key` begins with the name and version of the value's shape (`ie/1:...`). */
type CacheEntry<T> = {
  key: string
  /** Milliseconds for which a value is good, from its load. A value that is good for none is not stored. */
  ttlMs: number | ((value: T) => number)
  /**
   * The longest wait of a caller, for another node's load and its own together. The time of a dead load does
   * not count.
   */
  loadMs: number
}

export type Cache = {
  /** The value of a key, if one is stored and still good. */
  find: <T>(key: string) => Promise<T | undefined>
  /**
   * The stored value, or the result of `load`, which is then stored; a failure never is. Of callers at once,
   * on any node, one loads; the others get its value, or on the same node its failure.
   */
  through: <T>(entry: CacheEntry<T>, load: Load<T>) => Promise<{ value: T; cached: boolean }>
  /**
   * Stores a value that came by other means. Resolves when other nodes can read it, or when a failure was
   * logged.
   */
  put: <T>(entry: Omit<CacheEntry<T>, 'loadMs'>, value: T) => Promise<void>
  /** How often a value was here or had to be loaded, by its shape: the first part of its key (`ie/2`). */
  reads: () => ReadonlyMap<string, Reads>
  /** Deletes values that are not good any more. Returns how many. */
  sweep: () => Promise<number>
  /** Waits for the running writes. */
  close: () => Promise<void>
}

/** Opens the cache of a database. Its nodes share it; the latest values are in memory too. */
export function openCache(db: Db, options: ShelfOptions): Cache {
  const shelf = openShelf(db, options)
  const { reads, count } = openReads()
  const loading = new Map<string, Promise<Loaded>>()

  async function loadHere(entry: Entry, load: Load<unknown>): Promise<Loaded> {
    const value = await load(entry.loadMs)
    void shelf.keep(entry.key, value, entry.ttlOf(value))
    return { value, cached: false }
  }

  const place = { db, shelf, log: options.log }
  const loadOnce =
    db.dialect === 'postgres'
      ? (entry: Entry, load: Load<unknown>) => loadInTurn(place, entry, load)
      : loadHere

  async function through(entry: Entry, load: Load<unknown>): Promise<Loaded> {
    // While the database was read, a load may have ended.
    const found = (await shelf.find(entry.key)) ?? shelf.remembered(entry.key)
    if (found) return { value: found.value, cached: true }
    const shared = loading.get(entry.key)
    if (shared) return shared
    const started = loadOnce(entry, load).finally(() => loading.delete(entry.key))
    loading.set(entry.key, started)
    return started
  }

  return {
    // Proven by the key: its first part names the shape, and only `through` and `put` store under it.
    find: async <T>(key: string) => {
      const found = await shelf.find(key)
      // What is not here is counted once it is loaded.
      if (found) count(key, true)
      return trusted<T | undefined>(found?.value)
    },
    through: async <T>({ ttlMs, ...entry }: CacheEntry<T>, load: Load<T>) => {
      const loaded = await through({ ...entry, ttlOf: ttlOf(ttlMs) }, load)
      count(entry.key, loaded.cached)
      return trusted<{ value: T; cached: boolean }>(loaded)
    },
    put: ({ key, ttlMs }, value) => shelf.keep(key, value, ttlOf(ttlMs)(value)),
    reads,
    sweep: async () => {
      await sweepLeases(db)
      return deleteExpired(db, options.now().getTime())
    },
    close: shelf.close,
  }
}

/** Reads of the cache since the process started. */
type Reads = { hits: number; misses: number }

/** Counts reads by the shape of what was read. */
function openReads(): { reads: Cache['reads']; count: (key: string, hit: boolean) => void } {
  const reads = new Map<string, Reads>()
  return {
    reads: () => reads,
    count: (key, hit) => {
      const shape = key.slice(0, key.indexOf(':'))
      const counted = reads.get(shape) ?? { hits: 0, misses: 0 }
      counted[hit ? 'hits' : 'misses'] += 1
      reads.set(shape, counted)
    },
  }
}

/** Each key has a shape of its own. So the entry asks about a value of its own shape alone. */
const ttlOf =
  <T>(ttlMs: CacheEntry<T>['ttlMs']): Entry['ttlOf'] =>
  (value) =>
    Math.floor(typeof ttlMs === 'number' ? ttlMs : ttlMs(trusted<T>(value)))
