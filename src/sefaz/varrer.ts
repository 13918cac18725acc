import { setImmediate as nextTurn } from 'node:timers/promises'
import { sql } from 'kysely'
import { DIAS_GUARDADOS, diaDe, diaDepois, inicioDoDia } from '../documento/dia.ts'
import type { Db } from '../platform/db/db.ts'
import { deleteInBatches, relaxed } from '../platform/db/queries.ts'
import { ambientes } from '../platform/wire/fonte.ts'
import { listAutorizadores } from './listar.ts'

const KEPT_MS = DIAS_GUARDADOS * 86_400_000
/** Rows deleted at once: on the embedded database other requests wait meanwhile. */
const DELETED = 1_000

/** Deletes what is older than 90 days at `instant`, whatever the authority. Returns how many rows. */
export async function deleteOld(db: Db, instant: number): Promise<number> {
  const before = instant - KEPT_MS
  let total = 0
  for (const ambiente of ambientes) {
    for (const autorizador of await listAutorizadores(db, ambiente)) {
      total += await deleteInBatches(DELETED, (size) =>
        deleteOldest(db, 'leituras_sefaz', { ambiente, autorizador, before, size }),
      )
      // A day of one authorizer is less than a batch, which has no turn of the loop after it.
      await nextTurn()
    }
    total += await deleteInBatches(DELETED, (size) =>
      deleteOldest(db, 'rodadas_sefaz', { ambiente, before, size }),
    )
  }
  const firstDay = diaDepois(diaDe(instant), -DIAS_GUARDADOS)
  const dias = await db.kysely.deleteFrom('dias_sefaz').where('dia', '<', firstDay).executeTakeFirst()
  const incidentes = await db.kysely
    .deleteFrom('incidentes_sefaz')
    .where('fim', '<', inicioDoDia(firstDay))
    .executeTakeFirst()
  return total + Number(dias.numDeletedRows) + Number(incidentes.numDeletedRows)
}

type Batch = { ambiente: string; autorizador?: string; before: number; size: number }

/** Deletes the oldest rounds, or an authorizer's oldest readings, at most `size`. Returns how many. */
const deleteOldest = (
  db: Db,
  table: 'rodadas_sefaz' | 'leituras_sefaz',
  { ambiente, autorizador, before, size }: Batch,
): Promise<number> =>
  relaxed(db, async (connection) => {
    const own =
      autorizador === undefined
        ? sql`ambiente = ${ambiente}`
        : sql`ambiente = ${ambiente} and autorizador = ${autorizador}`
    const { numAffectedRows = 0n } = await sql`
      delete from ${sql.table(table)} where ${own} and em in (
        select em from ${sql.table(table)} where ${own} and em < ${before} order by em limit ${size})`.execute(
      connection,
    )
    return Number(numAffectedRows)
  })
