import type { Db } from '../db/db.ts'
import { clockOf } from '../jobs/jobs-clock.ts'

const DAY_MS = 86_400_000

/** The account and the call of a hold. */
export type HoldRef = { request_id: string; conta_id: string; endpoint: string }

/**
 * Records that the process `no` lives, on PostgreSQL by the database's clock: those of two nodes may differ.
 * One heartbeat stands for all its holds, because a lease for each would write a row every second for each
 * call.
 */
export async function beat(db: Db, no: string, instant: Date): Promise<void> {
  const batimento = clockOf(db, () => instant.getTime())
  await db.kysely
    .insertInto('nos')
    .values({ id: no, batimento })
    .onConflict((on) => on.column('id').doUpdateSet({ batimento }))
    .execute()
}

/**
 * The open holds of dead processes: of lives other than `no` whose last heartbeat is older than `silentMs` by
 * the database's clock, or that never had one. The embedded database has one server process, so there every
 * other life is dead.
 */
export async function findDeadHolds(
  db: Db,
  { no, silentMs }: { no: string; silentMs: number },
): Promise<HoldRef[]> {
  const others = db.kysely
    .selectFrom('retencoes')
    .select(['request_id', 'conta_id', 'endpoint'])
    .where('no', '!=', no)
  if (db.dialect === 'sqlite') return others.execute()
  const clock = clockOf(db, Date.now)
  return others
    .where('no', 'not in', (where) =>
      where
        .selectFrom('nos')
        .select('id')
        .where(({ eb }) => eb('batimento', '>=', eb(clock, '-', silentMs))),
    )
    .execute()
}

/** Deletes processes that have been silent for a day. */
export async function forgetDeadNodes(db: Db, instant: Date): Promise<void> {
  const clock = clockOf(db, () => instant.getTime())
  await db.kysely
    .deleteFrom('nos')
    .where(({ eb }) => eb('batimento', '<', eb(clock, '-', DAY_MS)))
    .execute()
}
