import type { Db } from './db.ts'
import { relaxed } from './relaxed.ts'
import type { LeiturasTable } from './tables.ts'

const HOUR_MS = 60 * 60_000

/** Stores rows whole: each is written by one node alone, and again while its minute lasts. */
export const upsertLeituras = (db: Db, rows: readonly LeiturasTable[]): Promise<unknown> =>
  relaxed(db, (connection) =>
    connection
      .insertInto('leituras')
      .values(rows)
      .onConflict((on) =>
        on.columns(['minuto', 'ambiente', 'fonte', 'no']).doUpdateSet(({ ref }) => ({
          consultas: ref('excluded.consultas'),
          sucessos: ref('excluded.sucessos'),
          tempos: ref('excluded.tempos'),
          falha_tipo: ref('excluded.falha_tipo'),
          falha_codigo: ref('excluded.falha_codigo'),
          falha_em: ref('excluded.falha_em'),
          ultima_em: ref('excluded.ultima_em'),
          aberto_ate: ref('excluded.aberto_ate'),
        })),
      )
      .execute(),
  )

/** The rows of the last 60 minutes before `instant`, by their first moment. */
export const selectLeituras = (
  { kysely }: Db,
  { ambiente, instant }: { ambiente: string; instant: number },
): Promise<LeiturasTable[]> =>
  kysely
    .selectFrom('leituras')
    .selectAll()
    .where('minuto', '>', instant - HOUR_MS)
    .where('ambiente', '=', ambiente)
    .execute()

/** Deletes the rows that are of no hour any more at `instant`; how many. */
export async function deleteLeituras({ kysely }: Db, instant: number): Promise<number> {
  const { numDeletedRows } = await kysely
    .deleteFrom('leituras')
    .where('minuto', '<=', instant - HOUR_MS)
    .executeTakeFirst()
  return Number(numDeletedRows)
}
