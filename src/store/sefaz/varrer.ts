import { ambientes } from '../../domain/ambiente.ts'
import { diaDe, diaDepois, inicioDoDia } from '../../domain/sefaz/dia.ts'
import type { Db } from '../db/db.ts'
import { deleteInBatches } from '../db/in-batches.ts'
import { relaxed } from '../db/relaxed.ts'
import { listAutorizadores } from './listar.ts'

/** How long readings, days and incidents are kept. */
const KEPT_DAYS = 90
const KEPT_MS = KEPT_DAYS * 86_400_000
/** Rows deleted at once: on the embedded database other requests wait meanwhile. */
const DELETED = 1_000

/** Deletes what is older than 90 days at `instant`, whatever the authority. Returns how many rows. */
export async function deleteOld(db: Db, instant: number): Promise<number> {
  const before = instant - KEPT_MS
  let total = 0
  for (const ambiente of ambientes) {
    for (const autorizador of await listAutorizadores(db, ambiente))
      total += await deleteInBatches(DELETED, (size) =>
        deleteLeituras(db, { ambiente, autorizador, before, size }),
      )
    total += await deleteInBatches(DELETED, (size) => deleteRodadas(db, { ambiente, before, size }))
  }
  const firstDay = diaDepois(diaDe(instant), -KEPT_DAYS)
  const dias = await db.kysely.deleteFrom('dias_sefaz').where('dia', '<', firstDay).executeTakeFirst()
  const incidentes = await db.kysely
    .deleteFrom('incidentes_sefaz')
    .where('fim', '<', inicioDoDia(firstDay))
    .executeTakeFirst()
  return total + Number(dias.numDeletedRows) + Number(incidentes.numDeletedRows)
}

type Batch = { ambiente: string; before: number; size: number }

/** Deletes an authorizer's oldest readings, at most `size` of them. */
const deleteLeituras = (
  db: Db,
  { ambiente, autorizador, before, size }: Batch & { autorizador: string },
): Promise<number> =>
  relaxed(db, async (connection) => {
    const { numDeletedRows } = await connection
      .deleteFrom('leituras_sefaz')
      .where('ambiente', '=', ambiente)
      .where('autorizador', '=', autorizador)
      .where('em', 'in', ({ selectFrom }) =>
        selectFrom('leituras_sefaz')
          .select('em')
          .where('ambiente', '=', ambiente)
          .where('autorizador', '=', autorizador)
          .where('em', '<', before)
          .orderBy('em')
          .limit(size),
      )
      .executeTakeFirst()
    return Number(numDeletedRows)
  })

/** Deletes the oldest rounds, at most `size` of them; their readings went before. */
const deleteRodadas = (db: Db, { ambiente, before, size }: Batch): Promise<number> =>
  relaxed(db, async (connection) => {
    const { numDeletedRows } = await connection
      .deleteFrom('rodadas_sefaz')
      .where('ambiente', '=', ambiente)
      .where('em', 'in', ({ selectFrom }) =>
        selectFrom('rodadas_sefaz')
          .select('em')
          .where('ambiente', '=', ambiente)
          .where('em', '<', before)
          .orderBy('em')
          .limit(size),
      )
      .executeTakeFirst()
    return Number(numDeletedRows)
  })
