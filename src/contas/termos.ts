import type { Db } from '../platform/db/db.ts'

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

/**
 * Gives an account the negotiated price of a note, 1 credit, within five seconds on every node. `reais` is
 * decimal text such as `0.12`, or empty where no price in BRL was agreed.
 */
export async function negotiatePreco(db: Db, conta_id: string, reais: string): Promise<void> {
  await setPreco(db, conta_id, { preco_exclusivo: 1, preco_xml: reais === '' ? null : reais })
}

/** Gives an account its plan's price back, within five seconds on every node. */
export async function endPreco(db: Db, conta_id: string): Promise<void> {
  await setPreco(db, conta_id, { preco_exclusivo: 0, preco_xml: null })
}

async function setPreco(
  db: Db,
  conta_id: string,
  preco: { preco_exclusivo: 0 | 1; preco_xml: string | null },
): Promise<void> {
  await db.kysely.updateTable('contas').set(preco).where('id', '=', conta_id).execute()
}
