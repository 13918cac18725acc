import { hash } from 'node:crypto'
import { type Kysely, sql } from 'kysely'
import { LRUCache } from 'lru-cache'
import type { Db } from '../db/db.ts'
import { deleteInBatches } from '../db/in-batches.ts'
import type { Tables } from '../db/tables.ts'
import { countTogether } from './rate-limit.ts'

const MINUTE_MS = 60_000

/**
 * What strangers may try, and how often in how many minutes: `conta` and `email` by the e-mail or account
 * that is meant, `endereco` by the network that it comes from.
 */
const LIMITS = {
  'entrar/email': { most: 20, minutes: 15 },
  'entrar/endereco': { most: 60, minutes: 15 },
  'cadastrar/endereco': { most: 10, minutes: 60 },
  'codigo/endereco': { most: 30, minutes: 60 },
  'senha/conta': { most: 10, minutes: 15 },
  'carta/email': { most: 5, minutes: 60 },
  'carta/endereco': { most: 20, minutes: 60 },
} as const

type Attempt = readonly [what: keyof typeof LIMITS, who: string]

/** Counts what strangers try: on PostgreSQL for all nodes together, else in the memory of the one node. */
export type Attempts = {
  /** Counts one more of each. The seconds to wait where one of them is beyond its limit, else undefined. */
  take: (...attempts: readonly Attempt[]) => Promise<number | undefined>
  /** Forgets the counts whose time is over; how many. */
  sweep: () => Promise<number>
}

/** The most kept in memory. The one that was tried longest ago leaves first. */
const REMEMBERED = 20_000

type Count = (key: string) => Promise<{ position: number; resetMs: number }>

/** Opens the counts. What they are counted by is kept as a hash alone. */
export function openAttempts(db: Db, { now }: { now: () => Date }): Attempts {
  const countIn = db.dialect === 'postgres' ? openShared(db) : (minutes: number) => countAlone(now, minutes)
  const counts = new Map([15, 60].map((minutes) => [minutes, countIn(minutes)] as const))
  /** Until when the keys that are beyond their limit are refused, without a question to the database. */
  const spent = new LRUCache<string, number>({ max: REMEMBERED })

  async function waitOf([what, who]: Attempt): Promise<number> {
    const { most, minutes } = LIMITS[what]
    const key = `${what} ${hash('sha256', who, 'base64url').slice(0, 22)}`
    const left = (spent.get(key) ?? 0) - now().getTime()
    // A clock that went back must not make the wait longer.
    if (left > 0 && left <= minutes * MINUTE_MS) return left
    const count = counts.get(minutes)
    if (!count) throw new Error(`no count of ${minutes} minutes`)
    const { position, resetMs } = await count(key)
    if (position <= most) return 0
    spent.set(key, now().getTime() + resetMs)
    return resetMs
  }

  return {
    take: async (...attempts) => {
      const waits = await Promise.all(attempts.map(waitOf))
      const longest = Math.max(0, ...waits)
      return longest === 0 ? undefined : Math.ceil(longest / 1000)
    },
    sweep: async () => (db.dialect === 'postgres' ? deleteEnded(db.kysely) : 0),
  }
}

const openShared =
  (db: Extract<Db, { dialect: 'postgres' }>) =>
  (minutes: number): Count =>
    countTogether(db, minutes * MINUTE_MS)

function countAlone(now: () => Date, minutes: number): Count {
  const windowMs = minutes * MINUTE_MS
  const windows = new LRUCache<string, { position: number; ends: number }>({ max: REMEMBERED })
  return async (key) => {
    const instant = now().getTime()
    let window = windows.get(key)
    if (!window || instant >= window.ends || instant < window.ends - windowMs)
      window = { position: 0, ends: instant + windowMs }
    window.position += 1
    windows.set(key, window)
    return { position: window.position, resetMs: window.ends - instant }
  }
}

/** The counts of accounts' minutes stand in the same table: theirs end sooner, and go too. */
const deleteEnded = (kysely: Kysely<Tables>): Promise<number> =>
  deleteInBatches(1_000, async (size) => {
    const { numAffectedRows = 0n } = await sql`delete from limites where key in (
      select key from limites where expire < cast(extract(epoch from clock_timestamp()) * 1000 as bigint) - 60000
      limit ${size})`.execute(kysely)
    return Number(numAffectedRows)
  })
