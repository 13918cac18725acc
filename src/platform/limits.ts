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

/**
 * Counts calls a minute, in memory on the embedded database and in the shared database on PostgreSQL, by its
 * clock. The minute begins with an account's first call, and exactly `limit` calls of it pass.
 */
export function openRateLimit(db: Db, now: () => Date): RateLimit {
  const count: (id: string) => Count | Promise<Count> =
    db.dialect === 'postgres' ? countTogether(db, RATE_WINDOW_MS) : countInMemory(now)
  return {
    consume: ({ id, plano }) => {
      const limit = planos[plano].requisicoesPorMinuto
      const counted = count(id)
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

function countInMemory(now: () => Date): (id: string) => Count {
  const minutes = openWindowCount({ windowMs: RATE_WINDOW_MS, now, exact: Number.POSITIVE_INFINITY })
  return (id) => {
    const { count, ends } = minutes.add(id)
    return { position: count, resetMs: ends - now().getTime() }
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

/** One statement counts all calls that arrived meanwhile; each gets its place in order of arrival. */
function countTogether(
  { ask }: Extract<Db, { dialect: 'postgres' }>,
  windowMs: number,
): (id: string) => Promise<Count> {
  const statement = countOf(windowMs)
  const group = openGroupCommit(async (ids: string[]): Promise<Count[]> => {
    const calls = new Map<string, number>()
    for (const id of ids) calls.set(id, (calls.get(id) ?? 0) + 1)
    const values = [JSON.stringify(Object.fromEntries(calls))]
    const { rows } = await ask({ ...statement, values })
    // Proven by the columns that the statement returns.
    const counts = trusted<{ key: string; points: number; reset: number }[]>(rows)
    const ends = new Map(counts.map(({ key, points, reset }) => [key, { points, reset }]))
    return ids.map((id) => {
      const { points = 0, reset = 0 } = ends.get(id) ?? {}
      const left = calls.get(id) ?? 0
      calls.set(id, left - 1)
      return { position: points - left + 1, resetMs: Math.max(0, reset) }
    })
  })
  return group.add
}

/** A count of many keys in a fixed room. It may tell too much of a key, and never too little. */
type Sketch = {
  add: (key: string) => void
  look: (key: string) => { count: number; ends: number }
}

/** Each key has a place in each row; what others put there too is least in one of them. */
const ROWS = 4
const PLACES = 65_536
const MOST = 65_535

/** 1 MiB. A secret of this process places the keys, so that nobody can choose one that collides. */
function openSketch({ windowMs, now }: { windowMs: number; now: () => Date }): Sketch {
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
    add: (key) => {
      settle()
      for (const at of placesOf(key)) current[at] = Math.min(MOST, (current[at] ?? 0) + 1)
    },
    look: (key) => {
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
  add: (key: string) => Window
  takeBack: (key: string) => void
}

/** `exact`: the keys that are counted one by one. What comes beyond them shares a sketch, until they end. */
type Options = { windowMs: number; now: () => Date; exact?: number }

const REMEMBERED = 10_000

export function openWindowCount({ windowMs, now, exact = REMEMBERED }: Options): WindowCount {
  /** In the order of their ends, for all windows are equally long. */
  const windows = new Map<string, Window>()
  let sketch: Sketch | undefined
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

  function begin(key: string): Window {
    const instant = now().getTime()
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
    add: (key) => {
      const known = windows.get(key)
      if (!known || !runs(known, now().getTime())) return begin(key)
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
      const { count, ends } = minutes.add(networkOf(address))
      return turnOf({ position: count, resetMs: ends - now().getTime() }, limit)
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
