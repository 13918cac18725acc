import { randomUUID } from 'node:crypto'
import type { Db } from '../db/db.ts'
import { keepLease, LEASE_MS } from '../jobs/lease.ts'
import { type NamedLease, releaseLease, renewLease, takeLease } from '../jobs/lease-row.ts'
import { lookUntil } from '../jobs/look.ts'
import type { Shelf, ShelfOptions } from './shelf.ts'

/** A value to load. `ttlOf` says for how many milliseconds it is good. */
export type Entry = { key: string; loadMs: number; ttlOf: (value: unknown) => number }
export type Loaded = { value: unknown; cached: boolean }

/**
 * Gets a value. Its argument is the time left in milliseconds: 0 when waiting for another node took it all.
 */
export type Load<T> = (leftMs: number) => Promise<T>

/** The pause between two looks for another node's value. */
const LOOK_MS = 100
/** The longest time that storing takes after the load. */
const MARGIN_MS = 5_000

type Place = { db: Db; shelf: Shelf; log: ShelfOptions['log'] }

/** Where nodes share the database: takes the turn for the key, or waits for the node that has it. */
export async function loadInTurn(place: Place, entry: Entry, load: Load<unknown>): Promise<Loaded> {
  const { db, shelf, log } = place
  const turn = { nome: `carga:${shelf.chaveOf(entry.key)}`, dono: randomUUID() }
  const taken = await awaitTurn(place, entry, turn)
  if ('value' in taken) return taken
  const stop = keepLease(() => renewLease(db, turn, LEASE_MS), entry.loadMs + MARGIN_MS)
  try {
    // Between the look and the turn, another node may have finished.
    const found = await shelf.find(entry.key)
    if (found) return { value: found.value, cached: true }
    const value = await load(taken.leftMs)
    await shelf.keep(entry.key, value, entry.ttlOf(value))
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
async function awaitTurn(
  { db, shelf }: Place,
  { key, loadMs }: Entry,
  turn: NamedLease,
): Promise<Loaded | { leftMs: number }> {
  const ends = performance.now() + loadMs
  // Always long enough to learn that the holder of the turn is dead.
  const forMs = Math.max(loadMs, LEASE_MS + 2 * LOOK_MS)
  let first = true
  const look = async (): Promise<Loaded | { leftMs: number } | undefined> => {
    const found = first ? undefined : await shelf.find(key)
    first = false
    if (found) return { value: found.value, cached: true }
    const taken = await takeLease(db, turn, LEASE_MS)
    return taken && { leftMs: taken === 'dead' ? loadMs : Math.max(0, ends - performance.now()) }
  }
  return (await lookUntil(look, { everyMs: LOOK_MS, forMs })) ?? { leftMs: 0 }
}
