import { randomUUID } from 'node:crypto'
import type { Db } from '../db/db.ts'
import { deleteExpired } from '../db/queries.ts'
import { lookUntil } from '../jobs/clock.ts'
import {
  keepLease,
  LEASE_MS,
  type NamedLease,
  releaseLease,
  renewLease,
  sweepLeases,
  takeLease,
} from '../jobs/lease.ts'
import { trusted } from '../trusted.ts'
import { type Kept, openShelf, type Shelf, type ShelfOptions } from './shelf.ts'

/** A value that was found or loaded, and the instant at which it was got (ISO 8601 UTC). */
type Loaded = { value: unknown; since: string; cached: boolean }

/** A value to load. */
type Loading = {
  key: string
  loadMs: number
  /** Whether a value that is found meanwhile is as new as the caller wants it. */
  accepts: (found: { since: string }) => boolean
  /** Takes the loaded value. Resolves when other nodes can read it. */
  keep: (value: unknown, since: string) => Promise<void>
}

/**
 * Gets a value. Its argument is the time left in milliseconds: 0 when waiting for another node took it all.
 */
export type Load<T> = (leftMs: number) => Promise<T>

/** The pause between two looks for another node's value. */
const LOOK_MS = 100
/** The longest time that storing takes after the load. */
const MARGIN_MS = 5_000

type Place = { db: Db; shelf: Shelf } & Pick<ShelfOptions, 'now' | 'log'>

/** Loads a value at once, where one process has the database. Nobody waits for its write. */
async function loadHere({ now }: Place, entry: Loading, load: Load<unknown>): Promise<Loaded> {
  const value = await load(entry.loadMs)
  const since = now().toISOString()
  void entry.keep(value, since)
  return { value, since, cached: false }
}

/** Where nodes share the database: takes the turn for the key, or waits for the node that has it. */
async function loadInTurn(place: Place, entry: Loading, load: Load<unknown>): Promise<Loaded> {
  const { db, shelf, now, log } = place
  const turn = { nome: shelf.turnoOf(entry.key), dono: randomUUID() }
  const taken = await awaitTurn(place, entry, turn)
  if ('value' in taken) return taken
  const stop = keepLease(() => renewLease(db, turn, LEASE_MS), entry.loadMs + MARGIN_MS)
  try {
    // Between the look and the turn, another node may have finished.
    const found = await findMeanwhile(shelf, entry)
    if (found) return found
    const value = await load(taken.leftMs)
    const since = now().toISOString()
    await entry.keep(value, since)
    return { value, since, cached: false }
  } finally {
    stop()
    // If the turn cannot be given back, it ends by itself.
    await releaseLease(db, turn).catch((err) => log.error({ err }, 'a load was not released'))
  }
}

/** The value that another node has stored, if it is as new as the caller wants it. */
async function findMeanwhile(shelf: Shelf, { key, accepts }: Loading): Promise<Loaded | undefined> {
  const found = await shelf.latest(key)
  if (!found || !accepts(found)) return undefined
  return { value: found.value, since: found.since, cached: true }
}

/**
 * Waits for the turn of a key, or for the value that its holder stores. The time of a dead node does not
 * count.
 */
async function awaitTurn(
  { db, shelf }: Place,
  entry: Loading,
  turn: NamedLease,
): Promise<Loaded | { leftMs: number }> {
  const { loadMs } = entry
  const ends = performance.now() + loadMs
  // Always long enough to learn that the holder of the turn is dead.
  const forMs = Math.max(loadMs, LEASE_MS + 2 * LOOK_MS)
  let first = true
  const look = async (): Promise<Loaded | { leftMs: number } | undefined> => {
    const found = first ? undefined : await findMeanwhile(shelf, entry)
    first = false
    if (found) return found
    const taken = await takeLease(db, turn, LEASE_MS)
    return taken && { leftMs: taken === 'dead' ? loadMs : Math.max(0, ends - performance.now()) }
  }
  return (await lookUntil(look, { everyMs: LOOK_MS, forMs })) ?? { leftMs: 0 }
}

/** A value to keep. `key` begins with the name and version of the value's shape (`ie/1:...`). */
export type CacheEntry<T> = {
  key: string
  /**
   * Milliseconds for which a value is good, from its load. A value that is good for none is not stored; if
   * it was loaded anew, the older one ends.
   */
  ttlMs: number | ((value: T) => number)
  /**
   * The longest wait of a caller, for another node's load and its own together. The time of a dead load does
   * not count.
   */
  loadMs: number
  maxAgeMs?: MaxAgeMs
}

/**
 * How old a value may be that its caller takes, in milliseconds. Undefined: any that is still good;
 * `NOTHING_KEPT`: none that was there before the call.
 */
type MaxAgeMs = number | undefined

/** No value is as young. */
export const NOTHING_KEPT = -1

/** A value, and the instant at which it was got (ISO 8601 UTC). */
export type Got<T> = { value: T; since: string }

export type Cache = {
  /** The value of a key, if one is stored, still good and young enough. */
  find: <T>(key: string, maxAgeMs?: MaxAgeMs) => Promise<Got<T> | undefined>
  /**
   * The stored value, or the result of `load`, which then replaces it; a failure never does. Of callers at
   * once, on any node, one loads; the others get its value, or on the same node its failure.
   */
  through: <T>(entry: CacheEntry<T>, load: Load<T>) => Promise<Got<T> & { cached: boolean }>
  /**
   * Stores a value that came by other means. Resolves when other nodes can read it, or when a failure was
   * logged.
   */
  put: <T>(entry: Omit<CacheEntry<T>, 'loadMs' | 'maxAgeMs'>, value: T) => Promise<void>
  /** Ends a value that is known to be true no more. Resolves as `put` does. */
  forget: (key: string) => Promise<void>
  /** How often a value was here or had to be loaded, by its shape: the first part of its key (`ie/2`). */
  reads: () => ReadonlyMap<string, Reads>
  /** Deletes values that are not good any more. Returns how many. */
  sweep: () => Promise<number>
  /** Waits for the running writes. */
  close: () => Promise<void>
}

/** The entry of a key asks about a value of its own shape alone. */
type AnyEntry = Omit<CacheEntry<unknown>, 'ttlMs'> & { ttlOf: (value: unknown) => number }

/** Opens the cache of a database. Its nodes share it; the latest values are in memory too. */
export function openCache(db: Db, options: ShelfOptions): Cache {
  const { now, log } = options
  const shelf = openShelf(db, options)
  const { reads, count } = openReads()
  const loading = new Map<string, Promise<Loaded>>()
  const place = { db, shelf, now, log }
  const loadOnce = db.dialect === 'postgres' ? loadInTurn : loadHere

  const isYoung = ({ since }: { since: string }, maxAgeMs: MaxAgeMs): boolean =>
    maxAgeMs === undefined || Math.max(0, now().getTime() - Date.parse(since)) <= maxAgeMs

  /** The kept value, of whatever age where none is young enough. */
  async function findKept(key: string, maxAgeMs: MaxAgeMs): Promise<Kept | undefined> {
    const kept = await shelf.find(key)
    return kept && !isYoung(kept, maxAgeMs) ? shelf.latest(key) : kept
  }

  async function keep(key: string, value: unknown, ttlMs: number, since: string): Promise<void> {
    if (ttlMs > 0) await shelf.keep(key, { value, since, until: now().getTime() + ttlMs })
  }

  async function through(entry: AnyEntry, load: Load<unknown>): Promise<Loaded> {
    const { key, loadMs, maxAgeMs, ttlOf } = entry
    // A load that ends while the database is read is not missed.
    const running = loading.get(key)
    const kept = await findKept(key, maxAgeMs)
    if (kept && isYoung(kept, maxAgeMs)) return { value: kept.value, since: kept.since, cached: true }
    // What was not there when the caller came is new to it, whatever the clocks of other nodes say.
    const accepts = (found: { since: string }): boolean =>
      isYoung(found, maxAgeMs) || found.since !== kept?.since
    for (let shared = running ?? loading.get(key); shared; shared = loading.get(key)) {
      const loaded = await shared
      if (!loaded.cached || accepts(loaded)) return loaded
    }
    const replace = (value: unknown, since: string): Promise<void> => {
      const ttlMs = ttlOf(value)
      return kept && ttlMs <= 0 ? shelf.forget(key) : keep(key, value, ttlMs, since)
    }
    const started = loadOnce(place, { key, loadMs, accepts, keep: replace }, load)
    const shared = started.finally(() => loading.delete(key))
    loading.set(key, shared)
    return shared
  }

  return {
    // Proven by the key: its first part names the shape, and only `through` and `put` store under it.
    find: async <T>(key: string, maxAgeMs?: MaxAgeMs) => {
      const kept = await findKept(key, maxAgeMs)
      if (!kept || !isYoung(kept, maxAgeMs)) return undefined
      // What is not here is counted once it is loaded.
      count(key, true)
      return trusted<Got<T>>(kept)
    },
    through: async <T>({ ttlMs, ...entry }: CacheEntry<T>, load: Load<T>) => {
      const loaded = await through({ ...entry, ttlOf: ttlOf(ttlMs) }, load)
      count(entry.key, loaded.cached)
      return trusted<Got<T> & { cached: boolean }>(loaded)
    },
    put: ({ key, ttlMs }, value) => keep(key, value, ttlOf(ttlMs)(value), now().toISOString()),
    forget: shelf.forget,
    reads,
    sweep: async () => {
      await sweepLeases(db)
      return deleteExpired(db.kysely, 'cache', now().getTime())
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
  <T>(ttlMs: CacheEntry<T>['ttlMs']): AnyEntry['ttlOf'] =>
  (value) =>
    Math.floor(typeof ttlMs === 'number' ? ttlMs : ttlMs(trusted<T>(value)))

/** The call that a question belongs to. */
export type PorChamada = {
  request_id: string
  /** How old a kept answer may be for this call, in milliseconds, as the cache has it. */
  maxAgeMs?: number | undefined
}
