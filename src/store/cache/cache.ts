import { hash, randomUUID } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { trusted } from '../../domain/trusted.ts'
import type { Db } from '../db/db.ts'
import { openGroupCommit } from '../db/group-commit.ts'
import { keepLease, LEASE_MS } from '../jobs/lease.ts'
import { type NamedLease, releaseLease, renewLease, sweepLeases, takeLease } from '../jobs/lease-row.ts'
import { lookUntil } from '../jobs/look.ts'
import { type CacheRow, deleteExpired, selectValue, upsertValues } from './io.ts'

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

/**
 * Gets a value. Its argument is the time left in milliseconds: 0 when waiting for another node took it all.
 */
type Load<T> = (leftMs: number) => Promise<T>

/** Reads of the cache since the process started. */
type Reads = { hits: number; misses: number }

/** `size` is the length of its JSON text. */
type Kept = { value: unknown; until: number; size: number }
type Loaded = { value: unknown; cached: boolean }
/** A value of any type. The entry of a key asks about that value alone. */
type Entry = Omit<CacheEntry<unknown>, 'ttlMs'> & { ttlOf: (value: unknown) => number }

/**
 * The limits of the memory: entries (some 20 MB of registrations) and letters of their texts (PDFs are
 * large). The least used leaves first.
 */
const REMEMBERED = { max: 5_000, maxSize: 64 * 1024 * 1024 }
/** The pause between two looks for another node's value. */
const LOOK_MS = 100
/** The longest time that storing takes after the load. */
const MARGIN_MS = 5_000

type Options = {
  now: () => Date
  log: { error: (fields: object, message: string) => void }
  /**
   * The kind of authority that gave the answers. The simulator's are never taken for an authority's, on the
   * same database.
   */
  fonte: string
}

/** Opens the cache of a database. Its nodes share it; the latest values are in memory too. */
export function openCache(db: Db, { now, log, fonte }: Options): Cache {
  const memory = new LRUCache<string, Kept>({ ...REMEMBERED, sizeCalculation: ({ size }) => size })
  const loading = new Map<string, Promise<Loaded>>()
  const reads = new Map<string, Reads>()
  const writes = openGroupCommit((rows: CacheRow[]) => upsertValues(db, rows))

  const chaveOf = (key: string): string => hash('sha256', `${fonte}:${key}`)

  function count(key: string, hit: boolean): void {
    const shape = key.slice(0, key.indexOf(':'))
    const counted = reads.get(shape) ?? { hits: 0, misses: 0 }
    counted[hit ? 'hits' : 'misses'] += 1
    reads.set(shape, counted)
  }

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

  async function keep({ key, ttlOf }: Omit<Entry, 'loadMs'>, value: unknown): Promise<void> {
    const ttlMs = Math.floor(ttlOf(value))
    if (ttlMs <= 0) return
    const until = now().getTime() + ttlMs
    const valor = JSON.stringify(value)
    memory.set(key, { value, until, size: valor.length })
    // The answer does not wait for the write: a lost value is asked for again.
    await writes
      .add({ chave: chaveOf(key), valor, expira_em: until })
      .catch((err) => log.error({ err }, 'the cache could not be written'))
  }

  async function loadHere(entry: Entry, load: Load<unknown>): Promise<Loaded> {
    const value = await load(entry.loadMs)
    void keep(entry, value)
    return { value, cached: false }
  }

  /** Where nodes share the database: takes the turn for the key, or waits for the node that has it. */
  async function loadInTurn(entry: Entry, load: Load<unknown>): Promise<Loaded> {
    const turn = { nome: `carga:${chaveOf(entry.key)}`, dono: randomUUID() }
    const taken = await awaitTurn(entry, turn)
    if ('value' in taken) return taken
    const stop = keepLease(() => renewLease(db, turn, LEASE_MS), entry.loadMs + MARGIN_MS)
    try {
      // Between the look and the turn, another node may have finished.
      const found = await find(entry.key)
      if (found) return { value: found.value, cached: true }
      const value = await load(taken.leftMs)
      await keep(entry, value)
      return { value, cached: false }
    } finally {
      stop()
      // If the turn cannot be given back, it ends by itself.
      await releaseLease(db, turn).catch((err) => log.error({ err }, 'a load was not released'))
    }
  }

  /**
   * Waits for the turn of a key, or for the value that its holder stores. The time of a dead node does not
   * count.
   */
  async function awaitTurn({ key, loadMs }: Entry, turn: NamedLease): Promise<Loaded | { leftMs: number }> {
    const ends = performance.now() + loadMs
    // Always long enough to learn that the holder of the turn is dead.
    const forMs = Math.max(loadMs, LEASE_MS + 2 * LOOK_MS)
    let first = true
    const look = async (): Promise<Loaded | { leftMs: number } | undefined> => {
      const found = first ? undefined : await find(key)
      first = false
      if (found) return { value: found.value, cached: true }
      const taken = await takeLease(db, turn, LEASE_MS)
      return taken && { leftMs: taken === 'dead' ? loadMs : Math.max(0, ends - performance.now()) }
    }
    return (await lookUntil(look, { everyMs: LOOK_MS, forMs })) ?? { leftMs: 0 }
  }

  const loadOnce = db.dialect === 'postgres' ? loadInTurn : loadHere

  async function through(entry: Entry, load: Load<unknown>): Promise<Loaded> {
    // While the database was read, a load may have ended.
    const found = (await find(entry.key)) ?? remembered(entry.key)
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
      const found = await find(key)
      // What is not here is counted once it is loaded.
      if (found) count(key, true)
      return trusted<T | undefined>(found?.value)
    },
    through: async <T>({ ttlMs, ...entry }: CacheEntry<T>, load: Load<T>) => {
      const loaded = await through({ ...entry, ttlOf: ttlOf(ttlMs) }, load)
      count(entry.key, loaded.cached)
      return trusted<{ value: T; cached: boolean }>(loaded)
    },
    reads: () => reads,
    put: ({ key, ttlMs }, value) => keep({ key, ttlOf: ttlOf(ttlMs) }, value),
    sweep: async () => {
      await sweepLeases(db)
      return deleteExpired(db, now().getTime())
    },
    close: () => writes.close(),
  }
}

/** Each key has a shape of its own. So the entry asks about a value of its own shape alone. */
const ttlOf = <T>(ttlMs: CacheEntry<T>['ttlMs']): Entry['ttlOf'] =>
  typeof ttlMs === 'number' ? () => ttlMs : (value) => ttlMs(trusted<T>(value))
