import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../db/db.ts'
import { relaxed } from '../db/queries.ts'

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
  everyMs: number
  forMs: number
  pause?: (ms: number) => Promise<void>
  isOver?: () => boolean
}

/** For `forMs` at most, or until it is over. It looks once in any case. */
export async function lookUntil<T>(
  look: () => Promise<T | undefined>,
  { everyMs, forMs, pause = (ms) => delay(ms), isOver = () => false }: Looking,
): Promise<T | undefined> {
  const ends = performance.now() + forMs
  for (;;) {
    const found = await look()
    if (found !== undefined) return found
    const leftMs = ends - performance.now()
    if (leftMs <= 0 || isOver()) return undefined
    await pause(Math.min(everyMs, leftMs))
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

/** Nobody has it for `pauseMs`. Its row stays, so `takeLease` cannot tell a dead holder of such a name. */
async function restLease(db: Db, { nome, dono }: NamedLease, pauseMs: number): Promise<void> {
  const livre = sql<number>`${clockOf(db, steadyClock)} + cast(${pauseMs} as bigint)`
  await relaxed(db, (connection) =>
    sql`
      update posses set ate = 0, livre_em = case when livre_em > ${livre} then livre_em else ${livre} end
      where nome = ${nome} and dono = ${dono}`.execute(connection),
  )
}

/** 0 or less where it does not rest. */
async function restOfLease(db: Db, nome: string): Promise<number> {
  const { rows } = await sql<{ pausa: number }>`
    select livre_em - ${clockOf(db, steadyClock)} as pausa from posses where nome = ${nome}`.execute(
    db.kysely,
  )
  return rows[0]?.pausa ?? 0
}

export async function sweepLeases(db: Db): Promise<void> {
  const clock = clockOf(db, steadyClock)
  await db.kysely.deleteFrom('posses').where('ate', '<', clock).where('livre_em', '<', clock).execute()
}

type Turno = {
  /** Gives the turn back. Nobody gets the next one for `pauseMs`. */
  end: (pauseMs: number) => Promise<void>
}

export type Turnos = {
  /**
   * Waits for the turn to ask a source; undefined after `patienceMs`, or at once if the source rests or the
   * queue (`pauseMs` each) is too long. A turn that a dead node never gives back ends after `leaseMs`.
   */
  take: (fonte: string, limits: Limits) => Promise<Turno | undefined>
}

type Limits = { patienceMs: number; pauseMs: number; leaseMs: number }

const LOOK_MS = 250

export function openTurnos(db: Db, { ambiente }: { ambiente: string }): Turnos {
  const waiting = new Map<string, number>()
  const wait = (fonte: string, change: 1 | -1): void =>
    void waiting.set(fonte, (waiting.get(fonte) ?? 0) + change)

  async function waitFor(fonte: string, { patienceMs, leaseMs }: Limits): Promise<Turno | undefined> {
    const turno = { nome: `fonte:${ambiente}:${fonte}`, dono: randomUUID() }
    const ends = performance.now() + patienceMs
    const look = async (): Promise<'taken' | 'late' | undefined> => {
      if (await takeLease(db, turno, leaseMs)) return 'taken'
      return (await restOfLease(db, turno.nome)) > ends - performance.now() ? 'late' : undefined
    }
    if ((await lookUntil(look, { everyMs: LOOK_MS, forMs: patienceMs })) !== 'taken') return undefined
    return { end: (pauseMs) => restLease(db, turno, pauseMs) }
  }

  return {
    take: async (fonte, limits) => {
      if ((waiting.get(fonte) ?? 0) * limits.pauseMs > limits.patienceMs) return undefined
      wait(fonte, 1)
      try {
        return await waitFor(fonte, limits)
      } finally {
        wait(fonte, -1)
      }
    },
  }
}
