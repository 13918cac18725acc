import { randomUUID } from 'node:crypto'
import type { Db } from '../db/db.ts'
import { lookUntil } from '../jobs/clock.ts'
import { keepLease, LEASE_MS } from '../jobs/jobs-lease.ts'
import { type NamedLease, releaseLease, renewLease, takeLease } from '../jobs/lease.ts'
import type { Shelf, ShelfOptions } from './shelf.ts'

/** A value that was found or loaded, and the instant at which it was got (ISO 8601 UTC). */
export type Loaded = { value: unknown; since: string; cached: boolean }

/** A value to load. */
export type Loading = {
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
export async function loadHere({ now }: Place, entry: Loading, load: Load<unknown>): Promise<Loaded> {
  const value = await load(entry.loadMs)
  const since = now().toISOString()
  void entry.keep(value, since)
  return { value, since, cached: false }
}

/** Where nodes share the database: takes the turn for the key, or waits for the node that has it. */
export async function loadInTurn(place: Place, entry: Loading, load: Load<unknown>): Promise<Loaded> {
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
