import { hash, randomBytes } from 'node:crypto'
import type { Db } from './db/db.ts'
import { openGroupCommit } from './db/queries.ts'
import { type NomePlano, planos } from './ledger/rules.ts'
import { trusted } from './trusted.ts'

export type Turn = { ok: boolean; limit: number; remaining: number; resetMs: number }

export type RateLimit = {
  consume: (conta: { id: string; plano: NomePlano }) => Turn | Promise<Turn>
}

const RATE_WINDOW_MS = 60_000

type Count = { position: number; resetMs: number }

/** A call of an account, whose plan allows `limit` a minute. */
type Call = { id: string; limit: number }

/**
 * Counts calls a minute, in memory on the embedded database and in the shared database on PostgreSQL, by its
 * clock. The minute begins with an account's first call, and never more than `limit` calls of it pass:
 * exactly so many where one node takes them (decision 98).
 */
export function openRateLimit(db: Db, now: () => Date): RateLimit {
  const count: (call: Call) => Count | Promise<Count> =
    db.dialect === 'postgres' ? countByLeases(db, RATE_WINDOW_MS) : countInMemory(now)
  return {
    consume: ({ id, plano }) => {
      const limit = planos[plano].requisicoesPorMinuto
      const counted = count({ id, limit })
      return counted instanceof Promise ? counted.then((one) => turnOf(one, limit)) : turnOf(counted, limit)
    },
  }
}

const turnOf = ({ position, resetMs }: Count, limit: number): Turn => ({
  ok: position <= limit,
  limit,
  remaining: Math.max(0, limit - position),
  resetMs,
})

function countInMemory(now: () => Date): (call: Call) => Count {
  const minutes = openWindowCount({ windowMs: RATE_WINDOW_MS, now, exact: Number.POSITIVE_INFINITY })
  return ({ id }) => {
    const instant = now().getTime()
    const { count, ends } = minutes.add(id, instant)
    return { position: count, resetMs: ends - instant }
  }
}

/** Adds to the accounts' counts, in the order of their ids, so that two nodes never wait for each other. */
const countOf = (windowMs: number) => ({
  name: `limites-contar-${windowMs}`,
  text: `
    insert into limites as l (key, points, expire)
      select j.key, cast(j.value as integer), c.now + ${windowMs}
      from json_each_text($1) as j, (select cast(extract(epoch from clock_timestamp()) * 1000 as bigint) as now) as c
      order by j.key
    on conflict (key) do update set
      points = case when l.expire <= excluded.expire - ${windowMs} then 0 else l.points end + excluded.points,
      expire = case when l.expire <= excluded.expire - ${windowMs} then excluded.expire else l.expire end
    returning key, points, expire - cast(extract(epoch from clock_timestamp()) * 1000 as bigint) as reset`,
})

/**
 * Positions of an account's minute that this node took, from `next` to `last`. By this process's steady clock
 * the minute lasts at least `until`, and is over at `ends`.
 */
type Lease = { next: number; last: number; size: number; until: number; ends: number }

const LARGEST_LEASE = 60
/** A node takes at most this part of what its account has left, so that the other nodes find some. */
const SHARE = 8

/**
 * How many positions a node takes at once: those that `calls` need, and more with each time in a minute (1,
 * 2, 4 … 60 for one call). `before` is the lease that it has used up in this minute.
 */
function sizeOf(before: Lease | undefined, calls: number, limit: number): { size: number; take: number } {
  if (before === undefined) return { size: 1, take: calls }
  const size = Math.min(LARGEST_LEASE, 2 * before.size)
  const left = limit - before.last - calls
  // Positions past the limit pass no call, but the minute may turn before they are taken.
  const share = Math.floor((left > 0 ? left : limit) / SHARE)
  return { size, take: calls + Math.min(size - 1, share) }
}

/** Answers from this node's leases. One statement takes those that the calls of all accounts lack. */
function countByLeases(
  { ask }: Extract<Db, { dialect: 'postgres' }>,
  windowMs: number,
): (call: Call) => Count | Promise<Count> {
  const statement = countOf(windowMs)
  const leases = openLeases(windowMs)

  async function lease(lacking: ReadonlyMap<string, Call & { calls: number }>): Promise<void> {
    const asked = performance.now()
    const wanted = [...lacking.values()].map(({ id, limit, calls }) => ({
      id,
      ...sizeOf(leases.running(id), calls, limit),
    }))
    const values = [JSON.stringify(Object.fromEntries(wanted.map(({ id, take }) => [id, take])))]
    const { rows } = await ask({ ...statement, values })
    const answered = performance.now()
    // Proven by the columns that the statement returns.
    const counts = trusted<{ key: string; points: number; reset: number }[]>(rows)
    const found = new Map(counts.map(({ key, points, reset }) => [key, { points, reset }]))
    for (const { id, size, take } of wanted) {
      const { points = 0, reset = 0 } = found.get(id) ?? {}
      const [until, ends] = [asked + reset, answered + reset]
      leases.put(id, { next: points - take + 1, last: points, size, until, ends })
    }
  }

  const group = openGroupCommit(async (calls: Call[]): Promise<Count[]> => {
    const counted = calls.map(({ id }) => leases.take(id))
    const lacking = new Map<string, Call & { calls: number }>()
    for (const [at, call] of calls.entries())
      if (counted[at] === undefined)
        lacking.set(call.id, { ...call, calls: (lacking.get(call.id)?.calls ?? 0) + 1 })
    if (lacking.size > 0) await lease(lacking)
    return calls.map(({ id }, at) => counted[at] ?? leases.takeNew(id))
  })
  return (call) => leases.take(call.id) ?? group.add(call)
}

function openLeases(windowMs: number) {
  // A lease ends within a window, so that what is two windows old can be dropped unread.
  let recent = new Map<string, Lease>()
  let older = new Map<string, Lease>()
  let turned = performance.now()

  const find = (id: string): Lease | undefined => recent.get(id) ?? older.get(id)
  const next = (lease: Lease, instant: number): Count => ({
    position: lease.next++,
    resetMs: Math.max(0, lease.ends - instant),
  })

  return {
    running: (id: string): Lease | undefined => {
      const lease = find(id)
      return lease && performance.now() < lease.until ? lease : undefined
    },
    put: (id: string, lease: Lease): void => {
      const instant = performance.now()
      if (instant - turned >= windowMs) {
        older = recent
        recent = new Map()
        turned = instant
      }
      recent.set(id, lease)
    },
    take: (id: string): Count | undefined => {
      const lease = find(id)
      if (lease === undefined || lease.next > lease.last) return undefined
      const instant = performance.now()
      return instant < lease.until ? next(lease, instant) : undefined
    },
    /** From a lease that was put now: its calls were counted in their minute, even if that is over since. */
    takeNew: (id: string): Count => {
      const lease = recent.get(id)
      if (lease === undefined) throw new Error('a lease that was taken is kept')
      return next(lease, performance.now())
    },
  }
}

/** Each key has a place in each row; what others put there too is least in one of them. */
const ROWS = 4
const PLACES = 65_536
const MOST = 65_535

/**
 * Counts many keys in 1 MiB, and may tell too much of one, never too little. A secret of this process places
 * the keys, so that nobody can choose one that collides.
 */
function openSketch({ windowMs, now }: { windowMs: number; now: () => Date }) {
  const salt = randomBytes(16).toString('hex')
  let current = new Uint16Array(ROWS * PLACES)
  let previous = new Uint16Array(ROWS * PLACES)
  let turn = Math.floor(now().getTime() / windowMs)

  /** Turns the windows where their time is over. A clock that went back forgets nothing. */
  function settle(): void {
    const running = Math.floor(now().getTime() / windowMs)
    if (running > turn) {
      if (running === turn + 1) [previous, current] = [current, previous]
      else previous.fill(0)
      current.fill(0)
    }
    turn = running
  }

  function placesOf(key: string): number[] {
    const bytes = hash('sha256', salt + key, 'buffer')
    return Array.from({ length: ROWS }, (_, row) => row * PLACES + bytes.readUInt16LE(row * 2))
  }

  const least = (windows: readonly Uint16Array[], places: readonly number[]): number =>
    Math.min(...places.map((at) => windows.reduce((sum, window) => sum + (window[at] ?? 0), 0)))

  return {
    add: (key: string): void => {
      settle()
      for (const at of placesOf(key)) current[at] = Math.min(MOST, (current[at] ?? 0) + 1)
    },
    look: (key: string): Window => {
      settle()
      const places = placesOf(key)
      const end = (turn + 1) * windowMs
      const count = least([current, previous], places)
      return { count, ends: least([current], places) > 0 ? end + windowMs : end }
    },
  }
}

type Window = { count: number; ends: number }

/**
 * Counts events by a key, each in a window that begins with its first event. It lives in the memory of this
 * node, takes a fixed room, and no number of other keys makes it forget a window that runs.
 */
export type WindowCount = {
  look: (key: string) => Window | undefined
  add: (key: string, instant?: number) => Window
  takeBack: (key: string) => void
}

/** `exact`: the keys that are counted one by one. What comes beyond them shares a sketch, until they end. */
type Options = { windowMs: number; now: () => Date; exact?: number }

const REMEMBERED = 10_000

export function openWindowCount({ windowMs, now, exact = REMEMBERED }: Options): WindowCount {
  /** In the order of their ends, for all windows are equally long. */
  const windows = new Map<string, Window>()
  let sketch: ReturnType<typeof openSketch> | undefined
  let sketchedUntil = 0

  // A clock that went back must not make a window longer.
  const runs = ({ ends }: Window, instant: number): boolean => ends > instant && ends - instant <= windowMs

  function dropEnded(instant: number): void {
    for (const [key, window] of windows) {
      if (runs(window, instant)) return
      windows.delete(key)
    }
  }

  function sketched(key: string, instant: number): Window | undefined {
    if (!sketch || instant >= sketchedUntil) return undefined
    const window = sketch.look(key)
    return window.count > 0 ? window : undefined
  }

  function look(key: string): Window | undefined {
    const instant = now().getTime()
    const known = windows.get(key)
    return known && runs(known, instant) ? known : sketched(key, instant)
  }

  function begin(key: string, instant: number): Window {
    windows.delete(key)
    if (windows.size >= Math.min(exact, REMEMBERED)) dropEnded(instant)
    if (windows.size >= exact) {
      sketch ??= openSketch({ windowMs, now })
      sketch.add(key)
      sketchedUntil = Math.max(sketchedUntil, instant + 2 * windowMs)
      return sketch.look(key)
    }
    const window = { count: (sketched(key, instant)?.count ?? 0) + 1, ends: instant + windowMs }
    windows.set(key, window)
    return window
  }

  return {
    look,
    add: (key, instant = now().getTime()) => {
      const known = windows.get(key)
      if (!known || !runs(known, instant)) return begin(key, instant)
      known.count += 1
      return known
    },
    takeBack: (key) => {
      const known = windows.get(key)
      if (known && known.count > 0) known.count -= 1
    },
  }
}

/** In memory. Events from other addresses, however many, never make it forget. */
export type AddressCount = {
  add: (address: string) => void
  consume: (address: string) => Turn
  waitS: (address: string) => number | undefined
}

export function openAddressCount({ limit, now }: { limit: number; now: () => Date }): AddressCount {
  const minutes = openWindowCount({ windowMs: RATE_WINDOW_MS, now })
  return {
    add: (address) => void minutes.add(networkOf(address)),
    consume: (address) => {
      const instant = now().getTime()
      const { count, ends } = minutes.add(networkOf(address), instant)
      return turnOf({ position: count, resetMs: ends - instant }, limit)
    },
    waitS: (address) => {
      const minute = minutes.look(networkOf(address))
      if (!minute || minute.count < limit) return undefined
      return Math.max(1, Math.ceil((minute.ends - now().getTime()) / 1000))
    },
  }
}

const IPV4 = /^\d{1,3}(\.\d{1,3}){3}$/

/** The IPv4 address, or the /64 of an IPv6 one. A connection that is gone has none. */
export function networkOf(address: string | undefined = ''): string {
  // The forms that some proxies write: with a port, brackets or a zone.
  const plain = address.replace(/^(\d[\d.]*):\d+$/, '$1').replace(/^\[?([^\]%]*).*$/, '$1')
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(plain)?.[1]
  if (mapped !== undefined || IPV4.test(plain)) return mapped ?? plain
  if (!URL.canParse(`http://[${plain}]/`)) return ''
  const [head = '', tail] = plain.split('::')
  const groups = head === '' ? [] : head.split(':')
  const after = tail ? tail.split(':').length + (tail.includes('.') ? 1 : 0) : 0
  if (tail !== undefined)
    groups.push(...Array<string>(8 - groups.length - after).fill('0'), ...tail.split(':'))
  return groups
    .slice(0, 4)
    .map((group) => Number.parseInt(group || '0', 16).toString(16))
    .join(':')
}
