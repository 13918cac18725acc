import { type Kysely, sql } from 'kysely'
import type { Tables } from './tables.ts'

/**
 * From here on a hold writes no entry, so a free call leaves none. Holds of an earlier program are returned
 * by an entry, because no process works on those calls any more.
 */
export async function retencoesSemLancamento(db: Kysely<Tables>): Promise<void> {
  const open = await db.selectFrom('retencoes').selectAll().orderBy('request_id').execute()
  for (const { conta_id, request_id, endpoint, cota, extra, periodo, no, criada_em } of open) {
    const saldo = await db
      .selectFrom('saldos')
      .select(['periodo', 'ultimo_request', 'ultimo_tipo'])
      .where('conta_id', '=', conta_id)
      .executeTakeFirstOrThrow()
    const back = { cota: periodo === saldo.periodo ? cota : 0, extra }
    const entry = { conta_id, request_id, tipo: 'release' as const, endpoint, no, criado_em: criada_em }
    const anterior = { anterior_request: saldo.ultimo_request, anterior_tipo: saldo.ultimo_tipo }
    await db
      .insertInto('lancamentos')
      .values({ ...entry, ...anterior, ...back, creditos: cota + extra })
      .execute()
    await db
      .updateTable('saldos')
      .set({
        cota: sql`cota + ${back.cota}`,
        extra: sql`extra + ${back.extra}`,
        ultimo_request: request_id,
        ultimo_tipo: 'release',
      })
      .where('conta_id', '=', conta_id)
      .execute()
  }
  await db.deleteFrom('retencoes').execute()
}
