import { sql } from 'kysely'
import type { Db } from '../db/db.ts'
import { relaxed } from '../db/relaxed.ts'
import { clockOf, steadyClock } from './jobs-clock.ts'

/** The right to work alone on what has this name, on whichever node. `dono` names one holder, once. */
export type NamedLease = { nome: string; dono: string }

/**
 * Takes a lease for `ms`: one caller of all nodes gets it, the others get undefined, and all of them do while
 * it rests. `dead`: its last holder neither ended it nor gave a sign of life.
 */
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

/** Says that the holder lives. Changes nothing where another has taken over. */
export async function renewLease(db: Db, { nome, dono }: NamedLease, ms: number): Promise<void> {
  const ate = sql<number>`${clockOf(db, steadyClock)} + cast(${ms} as bigint)`
  await relaxed(db, (connection) =>
    connection.updateTable('posses').set({ ate }).where('nome', '=', nome).where('dono', '=', dono).execute(),
  )
}

/** Gives a lease back, unless another has taken over. */
export async function releaseLease(db: Db, { nome, dono }: NamedLease): Promise<void> {
  await relaxed(db, (connection) =>
    connection.deleteFrom('posses').where('nome', '=', nome).where('dono', '=', dono).execute(),
  )
}

/**
 * Gives a lease back and lets nobody have it for `pauseMs`; a longer pause that was set before stays. Its row
 * stays too, so `takeLease` cannot tell a dead holder for such a name.
 */
export async function restLease(db: Db, { nome, dono }: NamedLease, pauseMs: number): Promise<void> {
  const livre = sql<number>`${clockOf(db, steadyClock)} + cast(${pauseMs} as bigint)`
  await relaxed(db, (connection) =>
    sql`
      update posses set ate = 0, livre_em = case when livre_em > ${livre} then livre_em else ${livre} end
      where nome = ${nome} and dono = ${dono}`.execute(connection),
  )
}

/**
 * Milliseconds until a lease that rests may be taken, whoever has it now; 0 or less where it does not rest.
 */
export async function restOfLease(db: Db, nome: string): Promise<number> {
  const { rows } = await sql<{ pausa: number }>`
    select livre_em - ${clockOf(db, steadyClock)} as pausa from posses where nome = ${nome}`.execute(
    db.kysely,
  )
  return rows[0]?.pausa ?? 0
}

/** Deletes the leases that nobody has and that do not rest. */
export async function sweepLeases(db: Db): Promise<void> {
  const clock = clockOf(db, steadyClock)
  await db.kysely.deleteFrom('posses').where('ate', '<', clock).where('livre_em', '<', clock).execute()
}
