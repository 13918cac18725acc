import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import type { Db } from '../db/db.ts'
import { relaxed } from '../db/queries.ts'
import {
  clockOf,
  keepLease,
  LEASE_MS,
  leaseInstant,
  lookUntil,
  type NamedLease,
  releaseLease,
  renewLease,
  steadyClock,
  takeLease,
} from './lease.ts'

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
  /**
   * Takes the next of the instants at which nodes may ask a source, `gapMs` apart. Gives the wait for it in
   * milliseconds; undefined where that is over `patienceMs`, and nothing is taken then.
   */
  reserve: (fonte: string, pace: { gapMs: number; patienceMs: number }) => Promise<number | undefined>
  /**
   * Runs `work` in one of the places that all nodes together have at a source, in the order of arrival; a
   * dead node's is free after LEASE_MS. On the embedded database it runs at once: one process is alone.
   */
  inPlace: <T>(fonte: string, places: Places, work: () => Promise<T>) => Promise<T>
}

type Limits = { patienceMs: number; pauseMs: number; leaseMs: number }

/** `longestMs`: how long a living holder keeps its place. Whoever waits leaves with its signal. */
type Places = { places: number; longestMs: number; signal?: AbortSignal | undefined }

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
    reserve: (fonte, pace) => reserveInstant(db, `ritmo:${ambiente}:${fonte}`, pace),
    inPlace: async (fonte, places, work) => {
      if (db.dialect === 'sqlite') return work()
      const place = await waitForPlace(db, `lugar:${ambiente}:${fonte}`, places)
      const stop = keepLease(() => renewLease(db, place, LEASE_MS), places.longestMs)
      try {
        return await work()
      } finally {
        stop()
        // Awaited, so that whoever follows on this node finds it free. A failure leaves it to its end.
        await releaseLease(db, place).catch(() => {})
      }
    },
  }
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

/** No query has more patience than this above another of its source. */
const MORE_PATIENCE_MS = 10 * 60_000

/**
 * One statement, whose row has its lock before it reads the clock: so instants are `gapMs` apart. One that is
 * further ahead than any line was taken before the clock was set back, and counts no more.
 */
async function reserveInstant(
  db: Db,
  nome: string,
  { gapMs, patienceMs }: { gapMs: number; patienceMs: number },
): Promise<number | undefined> {
  const clock = leaseInstant(db, () => new Date(steadyClock()))
  const ahead = (ms: number) => sql<number>`${clock} + cast(${Math.floor(ms)} as bigint)`
  const gap = sql`cast(${Math.ceil(gapMs)} as bigint)`
  const farthest = ahead(patienceMs + gapMs + MORE_PATIENCE_MS)
  const { rows } = await relaxed(db, (connection) =>
    sql<{ espera: number }>`
      insert into posses as p (nome, dono, ate, livre_em, vez) values (${nome}, '', 0, ${ahead(gapMs)}, 1)
      on conflict (nome) do update set livre_em =
        ${gap} + case when p.livre_em between ${clock} and ${farthest} then p.livre_em else ${clock} end
      where p.livre_em <= ${ahead(patienceMs)} or p.livre_em > ${farthest}
      returning livre_em - ${gap} - ${clock} as espera`.execute(connection),
  )
  const [taken] = rows
  return taken && Math.max(0, taken.espera)
}

const DAY_MS = 24 * 60 * 60_000

/**
 * Numbers stand in the order of their commits, because each waits for the row that counts them. So who has
 * fewer living numbers before its own than there are places never finds more of them later.
 */
async function waitForPlace(db: Db, fila: string, { places, signal }: Places): Promise<NamedLease> {
  let place = await arrive(db, fila)
  const look = async (): Promise<NamedLease | undefined> => {
    const before = await countBefore(db, fila, place)
    // Its lease ended while this process stood still: others took it for dead, so it begins anew.
    if (before === undefined) place = await arrive(db, fila)
    return before !== undefined && before < places ? place : undefined
  }
  try {
    const isOver = (): boolean => signal?.aborted === true
    const mine = await lookUntil(look, { everyMs: LOOK_MS, forMs: Number.POSITIVE_INFINITY, isOver })
    if (mine) return mine
    throw signal?.reason
  } catch (error) {
    await releaseLease(db, place).catch(() => {})
    throw error
  }
}

/** Takes the next number. The row that counts them outlives every number that is still in use. */
async function arrive(db: Db, fila: string): Promise<NamedLease> {
  const [clock, dono] = [clockOf(db, steadyClock), randomUUID()]
  const { rows } = await relaxed(db, (connection) =>
    sql<{ nome: string }>`
      with numero as (
        insert into posses as p (nome, dono, ate, livre_em, vez) values (${fila}, '', ${clock} + ${DAY_MS}, 0, 1)
        on conflict (nome) do update set vez = p.vez + 1, ate = excluded.ate returning vez)
      insert into posses (nome, dono, ate, livre_em, vez)
      select ${fila} || ' ' || vez, ${dono}, ${clock} + ${LEASE_MS}, 0, vez from numero
      returning nome`.execute(connection),
  )
  const [mine] = rows
  if (!mine) throw new Error('the line gave no number')
  return { nome: mine.nome, dono }
}

/** Renews the lease of a number that waits. A statement of its own: it sees all that came before. */
async function countBefore(db: Db, fila: string, { nome, dono }: NamedLease): Promise<number | undefined> {
  const clock = clockOf(db, steadyClock)
  const { rows } = await relaxed(db, (connection) =>
    sql<{ antes: number }>`
      update posses as p set ate = ${clock} + ${LEASE_MS} where nome = ${nome} and dono = ${dono} and ate > ${clock}
      returning (select count(*) from posses as o
        where o.nome like ${`${fila} %`} and o.vez < p.vez and o.ate > ${clock}) as antes`.execute(
      connection,
    ),
  )
  return rows[0]?.antes
}
