import type { Db } from '../store/db/db.ts'

/**
 * Blocks an account: within five seconds every node refuses its new calls and tells `motivo`. A second block
 * changes the reason and keeps the instant of the first.
 */
export async function blockConta(
  db: Db,
  conta_id: string,
  { motivo, now }: { motivo: string; now: Date },
): Promise<void> {
  await db.kysely
    .updateTable('contas')
    .set(({ fn, ref, val }) => ({
      bloqueada_em: fn.coalesce(ref('bloqueada_em'), val(now.getTime())),
      motivo_bloqueio: motivo,
    }))
    .where('id', '=', conta_id)
    .execute()
}

/** Ends the block of an account, within five seconds on every node. False if it had none. */
export async function unblockConta(db: Db, conta_id: string): Promise<boolean> {
  const { numUpdatedRows } = await db.kysely
    .updateTable('contas')
    .set({ bloqueada_em: null, motivo_bloqueio: null })
    .where('id', '=', conta_id)
    .where('bloqueada_em', 'is not', null)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}
