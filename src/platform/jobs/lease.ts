import { setTimeout as delay } from 'node:timers/promises'
import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { Db } from '../db/db.ts'
import { relaxed } from '../db/queries.ts'
import type { Dialect, Tables } from '../db/tables.ts'

/** Milliseconds since 1970. On PostgreSQL the database's, read once a statement for the index's sake. */
export const clockOf = ({ dialect }: Pick<Db, 'dialect'>, local: () => number): RawBuilder<number> =>
  dialect === 'postgres'
    ? sql<number>`(select cast(extract(epoch from clock_timestamp()) * 1000 as bigint))`
    : sql<number>`cast(${Math.floor(local())} as bigint)`

/**
 * The clock of this process on the embedded database. It starts at the machine's time and is not set again: a
 * clock that jumps ends no lease and holds no job back while the process lives.
 */
export const steadyClock = (): number => performance.timeOrigin + performance.now()

type Looking = {
  /** Each pause is half as long again as the one before, up to `mostMs` where it is given. */
  everyMs: number
  mostMs?: number
  forMs: number
  pause?: (ms: number) => Promise<void>
  isOver?: () => boolean
}

/** For `forMs` at most, or until it is over. It looks once in any case. */
export async function lookUntil<T>(
  look: () => Promise<T | undefined>,
  { everyMs, mostMs = everyMs, forMs, pause = (ms) => delay(ms), isOver = () => false }: Looking,
): Promise<T | undefined> {
  const ends = performance.now() + forMs
  let pauseMs = everyMs
  for (;;) {
    const found = await look()
    if (found !== undefined) return found
    const leftMs = ends - performance.now()
    if (leftMs <= 0 || isOver()) return undefined
    await pause(Math.min(pauseMs, leftMs))
    pauseMs = Math.min(pauseMs * 1.5, mostMs)
  }
}

/** Whoever waits for a dead holder gets it within five seconds; a living one renews it thrice as often. */
export const LEASE_MS = 4_000
const RENEW_MS = LEASE_MS / 3

/** Milliseconds since 1970. On PostgreSQL the database's, else the process's. */
export const leaseInstant = ({ dialect }: Db, now: () => Date): RawBuilder<number> =>
  dialect === 'postgres'
    ? sql<number>`cast(extract(epoch from clock_timestamp()) * 1000 as bigint)`
    : sql<number>`cast(${now().getTime()} as bigint)`

/** For `forMs` at most. If no renewal succeeds, others take us for dead. */
export function keepLease(renew: () => Promise<unknown>, forMs: number): () => void {
  const ends = performance.now() + forMs
  const timer = setInterval(() => {
    if (performance.now() > ends) clearInterval(timer)
    else void renew().catch(() => {})
  }, RENEW_MS).unref()
  return () => clearInterval(timer)
}

const NEVER = Number.MAX_SAFE_INTEGER

/**
 * Works alone on what has this name until the transaction ends, and waits for whoever does. On the embedded
 * database every transaction is alone.
 */
export async function workAlone(
  trx: Kysely<Tables>,
  { dialect, nome }: { dialect: Dialect; nome: string },
): Promise<void> {
  if (dialect === 'sqlite') return
  // Its row stays, so that no sweep waits for it.
  await sql`insert into posses as p (nome, dono, ate, livre_em, vez) values (${nome}, '', ${NEVER}, 0, 0)
    on conflict (nome) do update set vez = p.vez`.execute(trx)
}

/** The right to work alone on what has this name, on whichever node. `dono` names one holder, once. */
export type NamedLease = { nome: string; dono: string }

/** One caller of all nodes gets it. `dead`: its last holder neither ended it nor gave a sign of life. */
export async function takeLease(
  db: Db,
  { nome, dono }: NamedLease,
  ms: number,
): Promise<'free' | 'dead' | undefined> {
  const clock = clockOf(db, steadyClock)
  const { rows } = await relaxed(db, (connection) =>
    sql<{ vez: number }>`
      insert into posses as p (nome, dono, ate, livre_em, vez)
      values (${nome}, ${dono}, ${clock} + cast(${ms} as bigint), 0, 1)
      on conflict (nome) do update set dono = excluded.dono, ate = excluded.ate, vez = p.vez + 1
      where p.livre_em <= ${clock} and p.ate <= ${clock}
      returning vez`.execute(connection),
  )
  const [taken] = rows
  return taken && (taken.vez > 1 ? 'dead' : 'free')
}

export async function renewLease(db: Db, { nome, dono }: NamedLease, ms: number): Promise<void> {
  const ate = sql<number>`${clockOf(db, steadyClock)} + cast(${ms} as bigint)`
  await relaxed(db, (connection) =>
    connection.updateTable('posses').set({ ate }).where('nome', '=', nome).where('dono', '=', dono).execute(),
  )
}

export async function releaseLease(db: Db, { nome, dono }: NamedLease): Promise<void> {
  await relaxed(db, (connection) =>
    connection.deleteFrom('posses').where('nome', '=', nome).where('dono', '=', dono).execute(),
  )
}

export async function sweepLeases(db: Db): Promise<void> {
  const clock = clockOf(db, steadyClock)
  await db.kysely.deleteFrom('posses').where('ate', '<', clock).where('livre_em', '<', clock).execute()
}
