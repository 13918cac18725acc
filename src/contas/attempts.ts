import { type Kysely, sql } from 'kysely'
import type { Db } from '../platform/db/db.ts'
import { deleteInBatches } from '../platform/db/queries.ts'
import type { Tables } from '../platform/db/tables.ts'
import { openSelo } from '../platform/secrets.ts'
import { countOnThisNode } from './attempts-alone.ts'
import type { Asked } from './attempts-counts.ts'
import { countOnAllNodes } from './tentativas.ts'

/**
 * What strangers may try, and how often in how many minutes: by the network that it comes from (`endereco`),
 * by the e-mail and the network (`par`), by the e-mail or the account alone.
 */
const LIMITS = {
  'entrar/endereco': { most: 60, minutes: 15 },
  'entrar/par': { most: 20, minutes: 15 },
  'entrar/email': { most: 100, minutes: 60 },
  'cadastrar/endereco': { most: 10, minutes: 60 },
  'cadastrar/par': { most: 3, minutes: 60 },
  'cadastrar/email': { most: 5, minutes: 60 },
  'codigo/endereco': { most: 30, minutes: 60 },
  'senha/conta': { most: 10, minutes: 15 },
  'carta/endereco': { most: 20, minutes: 60 },
  'carta/par': { most: 5, minutes: 60 },
  'carta/email': { most: 3, minutes: 60 },
  'carta/conta': { most: 5, minutes: 60 },
} as const

type What = keyof typeof LIMITS

/** One thing to count: what is tried, and by whom, or at whom. */
export type Attempt = readonly [what: What, who: string]

/** The count that was used up, and the seconds until its time is over. */
export type TentativaRecusada = { de: What; esperaS: number }

/** Counts what strangers try: on PostgreSQL for all nodes together, else in the memory of the one node. */
export type Attempts = {
  /**
   * Counts one more of each, or of none: the first that is used up, in their order, is told, and nothing is
   * written then.
   */
  take: (...attempts: readonly Attempt[]) => Promise<TentativaRecusada | undefined>
  /** Takes back what was counted, because it was no try of a stranger after all. */
  giveBack: (...attempts: readonly Attempt[]) => Promise<void>
  /** Forgets the counts whose time is over; how many. */
  sweep: () => Promise<number>
}

/**
 * The places that one kind of count has in the database, 2^17. Two who share one are counted as one, so that
 * whoever comes from ever more networks makes no more rows.
 */
const PLACE_BITS = 17

/** Opens the counts. What they are counted by is kept as a fingerprint under the server's secret alone. */
export function openAttempts(db: Db, { now, secret }: { now: () => Date; secret: string }): Attempts {
  const { mac } = openSelo(secret, 'tentativas')
  const shared = db.dialect === 'postgres'
  const counts = shared ? countOnAllNodes(db, { now }) : countOnThisNode({ now })
  const keyOf = ([what, who]: Attempt): string => {
    const print = mac(`${what} ${who}`)
    return `${what} ${shared ? Number.parseInt(print.slice(0, 8), 16) >>> (32 - PLACE_BITS) : print.slice(0, 32)}`
  }
  const askedOf = (attempt: Attempt): Asked => {
    const { most, minutes } = LIMITS[attempt[0]]
    return { key: keyOf(attempt), most, windowMs: minutes * 60_000 }
  }
  return {
    take: async (...attempts) => {
      const spent = await counts.take(attempts.map(askedOf))
      const [de] = (spent && attempts[spent.at]) ?? []
      return spent && de && { de, esperaS: Math.max(1, Math.ceil(spent.resetMs / 1000)) }
    },
    giveBack: (...attempts) => counts.giveBack(attempts.map(keyOf)),
    sweep: async () => (shared ? deleteEnded(db.kysely) : 0),
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
