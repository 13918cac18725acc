import { hash, randomUUID } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import type { Db } from '../db/db.ts'
import { deleteExpired, openGroupCommit, relaxed } from '../db/queries.ts'
import {
  keepLease,
  LEASE_MS,
  lookUntil,
  type NamedLease,
  releaseLease,
  renewLease,
  sweepLeases,
  takeLease,
} from '../jobs/lease.ts'
import { trusted } from '../trusted.ts'

type CacheRow = { chave: string; valor: string; expira_em: number }

type SelectValue = (chave: string, instant: number) => Promise<Omit<CacheRow, 'chave'> | undefined>

/** Not planned once: by the next look-up this table may have grown from a page to thousands. */
function prepareSelectValue({ kysely }: Db): SelectValue {
  const statement = kysely
    .selectFrom('cache')
    .select(['valor', 'expira_em'])
    .where('chave', '=', '')
    .where('expira_em', '>', 0)
    .compile()
  return async (...parameters) =>
    (await kysely.executeQuery<Omit<CacheRow, 'chave'>>({ ...statement, parameters })).rows[0]
}

/** The last row of a key wins. Nobody waits for the disk: a cache may lose its last moment. */
async function upsertValues(db: Db, rows: readonly CacheRow[]): Promise<true[]> {
  const latest = [...new Map(rows.map((row) => [row.chave, row])).values()]
  await relaxed(db, (connection) =>
    connection
      .insertInto('cache')
      .values(latest)
      .onConflict((on) =>
        on.column('chave').doUpdateSet(({ ref }) => ({
          valor: ref('excluded.valor'),
          expira_em: ref('excluded.expira_em'),
        })),
      )
      .execute(),
  )
  return rows.map(() => true)
}

type Kept = { value: unknown; since: string; until: number }

type Shelf = {
  find: (key: string) => Promise<Kept | undefined>
  /** The same, past what this node remembers where another may have stored a newer one. */
  latest: (key: string) => Promise<Kept | undefined>
  keep: (key: string, kept: Kept) => Promise<void>
  forget: (key: string) => Promise<void>
  /** The name of the turn for a key in the database, where no document must stand. */
  turnoOf: (key: string) => string
  close: () => Promise<void>
}

export type ShelfOptions = {
  now: () => Date
  log: { error: (fields: object, message: string) => void }
  fonte: string
}

/** Entries (some 20 MB of registrations) and letters of their texts, because PDFs are large. */
const REMEMBERED = { max: 5_000, maxSize: 64 * 1024 * 1024 }

/**
 * How long a node believes its memory where another may have replaced the value. A key so costs one
 * read in five seconds.
 */
const BELIEVED_MS = 5_000

/** Part of the hash, so that two versions on one database never read each other's values. */
const SHAPE = '2'
const INSTANT = 24

type Remembered = Kept & { size: number; looked: number }

function openShelf(db: Db, { now, log, fonte }: ShelfOptions): Shelf {
  const memory = new LRUCache<string, Remembered>({ ...REMEMBERED, sizeCalculation: ({ size }) => size })
  const selectValue = prepareSelectValue(db)
  const writes = openGroupCommit((rows: CacheRow[]) => upsertValues(db, rows))
  const chaveOf = (key: string): string => hash('sha256', `${SHAPE}:${fonte}:${key}`)
  const shared = db.dialect === 'postgres'

  function remember(key: string, kept: Kept, size: number): Remembered {
    const remembered = { ...kept, size, looked: now().getTime() }
    memory.set(key, remembered)
    return remembered
  }

  /** A clock that went back must not keep a value believed: both ends are checked. */
  function isSure({ looked }: Remembered): boolean {
    const sinceMs = now().getTime() - looked
    return !shared || (sinceMs >= 0 && sinceMs < BELIEVED_MS)
  }

  const ifGood = (kept: Kept): Kept | undefined => (now().getTime() < kept.until ? kept : undefined)

  async function read(key: string): Promise<Kept | undefined> {
    const before = memory.peek(key)
    const row = await selectValue(chaveOf(key), now().getTime())
    // While the database was read, a newer value may have been stored here.
    const after = memory.peek(key)
    if (after && after !== before) return ifGood(after)
    if (!row) {
      memory.delete(key)
      return undefined
    }
    const { valor, expira_em: until } = row
    const kept = { value: JSON.parse(valor.slice(INSTANT)), since: valor.slice(0, INSTANT), until }
    return remember(key, kept, valor.length)
  }

  async function find(key: string): Promise<Kept | undefined> {
    const known = memory.get(key)
    return known && isSure(known) ? ifGood(known) : read(key)
  }

  // No answer waits for the write: a lost value is asked for again.
  const write = async (key: string, valor: string, expira_em: number): Promise<void> => {
    await writes
      .add({ chave: chaveOf(key), valor, expira_em })
      .catch((err) => log.error({ err }, 'the cache could not be written'))
  }

  return {
    find,
    latest: shared ? read : find,
    keep: (key, kept) => {
      const valor = kept.since + JSON.stringify(kept.value)
      remember(key, kept, valor.length)
      return write(key, valor, kept.until)
    },
    forget: (key) => {
      remember(key, { value: undefined, since: '', until: 0 }, 1)
      return write(key, '', 0)
    },
    // Without the shape: a node of the version before has the same turn, and a note's event is sent once.
    turnoOf: (key) => `carga:${hash('sha256', `${fonte}:${key}`)}`,
    close: () => writes.close(),
  }
}

type Loaded = { value: unknown; since: string; cached: boolean }

type Loading = {
  key: string
  loadMs: number
  accepts: (found: { since: string }) => boolean
  keep: (value: unknown, since: string) => Promise<void>
}

/** Its argument is the time left in milliseconds: 0 when waiting for another node took it all. */
export type Load<T> = (leftMs: number) => Promise<T>

const LOOK_MS = 100
/** The longest time that storing takes after the load. */
const MARGIN_MS = 5_000

type Place = { db: Db; shelf: Shelf } & Pick<ShelfOptions, 'now' | 'log'>

async function loadHere({ now }: Place, entry: Loading, load: Load<unknown>): Promise<Loaded> {
  const value = await load(entry.loadMs)
  const since = now().toISOString()
  void entry.keep(value, since)
  return { value, since, cached: false }
}

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
    await releaseLease(db, turn).catch((err) => log.error({ err }, 'a load was not released'))
  }
}

async function findMeanwhile(shelf: Shelf, { key, accepts }: Loading): Promise<Loaded | undefined> {
  const found = await shelf.latest(key)
  if (!found || !accepts(found)) return undefined
  return { value: found.value, since: found.since, cached: true }
}

/** Waits for the turn of a key, or for its holder's value. The time of a dead node does not count. */
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
  /** Milliseconds from its load. At 0 nothing is stored; if it was loaded anew, the older value ends. */
  ttlMs: number | ((value: T) => number)
  /** The longest wait for another node's load and one's own together, without that of a dead node. */
  loadMs: number
  maxAgeMs?: MaxAgeMs
}

/** In milliseconds. Undefined: any that is good; `NOTHING_KEPT`: none from before the call. */
type MaxAgeMs = number | undefined

/** No value is as young. */
export const NOTHING_KEPT = -1

export type Got<T> = { value: T; since: string }

export type Cache = {
  find: <T>(key: string, maxAgeMs?: MaxAgeMs) => Promise<Got<T> | undefined>
  /**
   * The stored value, or the result of `load`, which then replaces it; a failure never does. Of callers at
   * once, on any node, one loads; the others get its value, or on the same node its failure.
   */
  through: <T>(entry: CacheEntry<T>, load: Load<T>) => Promise<Got<T> & { cached: boolean }>
  /** Resolves when other nodes can read it, or when a failure was logged. */
  put: <T>(entry: Omit<CacheEntry<T>, 'loadMs' | 'maxAgeMs'>, value: T) => Promise<void>
  forget: (key: string) => Promise<void>
  reads: () => ReadonlyMap<string, Reads>
  sweep: (signal?: AbortSignal) => Promise<number>
  close: () => Promise<void>
}

/** The entry of a key asks about a value of its own shape alone. */
type AnyEntry = Omit<CacheEntry<unknown>, 'ttlMs'> & { ttlOf: (value: unknown) => number }

export function openCache(db: Db, options: ShelfOptions): Cache {
  const { now, log } = options
  const shelf = openShelf(db, options)
  const { reads, count } = openReads()
  const loading = new Map<string, Promise<Loaded>>()
  const place = { db, shelf, now, log }
  const loadOnce = db.dialect === 'postgres' ? loadInTurn : loadHere

  const isYoung = ({ since }: { since: string }, maxAgeMs: MaxAgeMs): boolean =>
    maxAgeMs === undefined || Math.max(0, now().getTime() - Date.parse(since)) <= maxAgeMs

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
    sweep: async (signal) => {
      await sweepLeases(db)
      return deleteExpired(db, 'cache', now().getTime(), signal)
    },
    close: shelf.close,
  }
}

type Reads = { hits: number; misses: number }

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

const ttlOf =
  <T>(ttlMs: CacheEntry<T>['ttlMs']): AnyEntry['ttlOf'] =>
  (value) =>
    Math.floor(typeof ttlMs === 'number' ? ttlMs : ttlMs(trusted<T>(value)))

export type PorChamada = { request_id: string; maxAgeMs?: number | undefined }
