import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Db } from '../db/db.ts'
import { relaxed } from '../db/relaxed.ts'
import { leaseInstant } from './lease.ts'

/** The turn to ask a source. */
type Turno = {
  /** Gives the turn back. Nobody gets the next one for `pauseMs`. */
  end: (pauseMs: number) => Promise<void>
}

/** The turns of the sources that all nodes together ask one question at a time. */
export type Turnos = {
  /**
   * Waits for the turn to ask a source; undefined after `patienceMs`, or at once if the source rests or the
   * queue (`pauseMs` each) is too long. A turn that a dead node never gives back ends after `leaseMs`.
   */
  take: (fonte: string, limits: Limits) => Promise<Turno | undefined>
}

type Limits = { patienceMs: number; pauseMs: number; leaseMs: number }

/** Milliseconds between two looks of a waiting caller. */
const LOOK_MS = 250

/** Opens the turns, by the one clock that leases have. `ambiente`: each environment has turns of its own. */
export function openTurnos(db: Db, { ambiente }: { ambiente: string }): Turnos {
  /** How many wait here for the turn to ask a source. */
  const waiting = new Map<string, number>()
  const wait = (fonte: string, change: 1 | -1): void =>
    void waiting.set(fonte, (waiting.get(fonte) ?? 0) + change)

  async function waitFor(fonte: string, { patienceMs, leaseMs }: Limits): Promise<Turno | undefined> {
    const turno = { fonte: `${ambiente}:${fonte}`, dono: randomUUID() }
    const ends = performance.now() + patienceMs
    while (!(await takeTurno(db, { ...turno, leaseMs }))) {
      const leftMs = ends - performance.now()
      if (leftMs <= 0 || (await pauseOf(db, turno.fonte)) > leftMs) return undefined
      await delay(Math.min(LOOK_MS, leftMs))
    }
    return { end: (pauseMs) => endTurno(db, { ...turno, pauseMs }) }
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

/** A pause protects a real host, so it runs in real time, whatever clock dates the answers. */
const clockOf = (db: Db) => leaseInstant(db, () => new Date())

/** Takes the turn in one statement. Of many callers on any node, one gets it. */
async function takeTurno(
  db: Db,
  { fonte, dono, leaseMs }: { fonte: string; dono: string; leaseMs: number },
): Promise<boolean> {
  const agora = clockOf(db)
  const statement = sql<{ fonte: string }>`
    insert into turnos as t (fonte, dono, ate, livre_em) values (${fonte}, ${dono}, ${agora} + ${leaseMs}, 0)
    on conflict (fonte) do update set dono = excluded.dono, ate = excluded.ate
    where t.livre_em <= ${agora} and t.ate <= ${agora}
    returning fonte`
  const { rows } = await relaxed(db, (connection) => statement.execute(connection))
  return rows.length > 0
}

/** Milliseconds until the next turn may begin, without the rest of the turn that is taken now. */
async function pauseOf(db: Db, fonte: string): Promise<number> {
  const statement = sql<{ pausa: number }>`
    select livre_em - ${clockOf(db)} as pausa from turnos where fonte = ${fonte}`
  const { rows } = await statement.execute(db.kysely)
  return Number(rows[0]?.pausa ?? 0)
}

/**
 * Gives the turn back, unless it ended by itself and another has it. A longer pause that was set before
 * stays.
 */
async function endTurno(
  db: Db,
  { fonte, dono, pauseMs }: { fonte: string; dono: string; pauseMs: number },
): Promise<void> {
  const livre = sql`${clockOf(db)} + ${pauseMs}`
  const statement = sql`
    update turnos set ate = 0, livre_em = case when livre_em > ${livre} then livre_em else ${livre} end
    where fonte = ${fonte} and dono = ${dono}`
  await relaxed(db, (connection) => statement.execute(connection))
}
