import type { Db } from '../db/db.ts'

const DAY_MS = 86_400_000

/** The account and the call of a hold. */
export type HoldRef = { request_id: string; conta_id: string; endpoint: string }

/**
 * Records that the process `no` lives. One heartbeat stands for all its holds, because a lease for each would
 * write a row every second for each call.
 */
export async function beat(db: Db, no: string, instant: Date): Promise<void> {
  const batimento = instant.getTime()
  await db.kysely
    .insertInto('nos')
    .values({ id: no, batimento })
    .onConflict((on) => on.column('id').doUpdateSet({ batimento }))
    .execute()
}

/**
 * The open holds of dead processes: of lives other than `no` without a heartbeat since `before`. The embedded
 * database has one server process, so there every other life is dead.
 */
export async function findDeadHolds(
  db: Db,
  { no, before }: { no: string; before: number },
): Promise<HoldRef[]> {
  const others = db.kysely
    .selectFrom('retencoes')
    .select(['request_id', 'conta_id', 'endpoint'])
    .where('no', '!=', no)
  const silent = others
    .where('criada_em', '<', before)
    .where('no', 'not in', (where) => where.selectFrom('nos').select('id').where('batimento', '>=', before))
  return (db.dialect === 'sqlite' ? others : silent).execute()
}

/** Deletes processes that have been silent for a day. */
export async function forgetDeadNodes(db: Db, instant: Date): Promise<void> {
  await db.kysely
    .deleteFrom('nos')
    .where('batimento', '<', instant.getTime() - DAY_MS)
    .execute()
}
