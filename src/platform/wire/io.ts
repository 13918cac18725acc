import type { Db } from '../db/db.ts'
import { relaxed } from '../db/relaxed.ts'
import type { LeiturasHoraTable, LeiturasTable } from '../db/tables.ts'

const HOUR_MS = 60 * 60_000
/** The time with which the last hour is compared. */
const WEEK_MS = 7 * 24 * HOUR_MS

/** Stores whole rows. One node alone writes each, again and again while its minute lasts. */
export const upsertLeituras = (db: Db, rows: readonly LeiturasTable[]): Promise<unknown> =>
  relaxed(db, (connection) =>
    connection
      .insertInto('leituras')
      .values(rows)
      .onConflict((on) =>
        on.columns(['minuto', 'ambiente', 'fonte', 'no']).doUpdateSet(({ ref }) => ({
          consultas: ref('excluded.consultas'),
          sucessos: ref('excluded.sucessos'),
          vazias: ref('excluded.vazias'),
          incompletas: ref('excluded.incompletas'),
          tempos: ref('excluded.tempos'),
          rotulos: ref('excluded.rotulos'),
          falha_tipo: ref('excluded.falha_tipo'),
          falha_codigo: ref('excluded.falha_codigo'),
          falha_em: ref('excluded.falha_em'),
          ultima_em: ref('excluded.ultima_em'),
          aberto_ate: ref('excluded.aberto_ate'),
        })),
      )
      .execute(),
  )

/** Stores the hours of a node, in the same way as its minutes. */
export const upsertHoras = (db: Db, rows: readonly LeiturasHoraTable[]): Promise<unknown> =>
  relaxed(db, (connection) =>
    connection
      .insertInto('leituras_hora')
      .values(rows)
      .onConflict((on) =>
        on.columns(['hora', 'ambiente', 'fonte', 'no']).doUpdateSet(({ ref }) => ({
          respostas: ref('excluded.respostas'),
          vazias: ref('excluded.vazias'),
        })),
      )
      .execute(),
  )

/** The answers of each source in the seven days before the last 60 minutes, all nodes together. */
export const selectAntes = (
  { kysely }: Db,
  { ambiente, instant }: { ambiente: string; instant: number },
): Promise<{ fonte: string; respostas: string | number | bigint; vazias: string | number | bigint }[]> =>
  kysely
    .selectFrom('leituras_hora')
    .select(({ fn }) => ['fonte', fn.sum('respostas').as('respostas'), fn.sum('vazias').as('vazias')])
    .where('hora', '>', instant - HOUR_MS - WEEK_MS)
    // An hour that ended before the last 60 minutes began.
    .where('hora', '<=', instant - 2 * HOUR_MS)
    .where('ambiente', '=', ambiente)
    .groupBy('fonte')
    .execute()

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

/** Deletes rows that are too old at `instant`. Returns how many. */
export async function deleteLeituras({ kysely }: Db, instant: number): Promise<number> {
  const horas = await kysely
    .deleteFrom('leituras_hora')
    .where('hora', '<=', instant - HOUR_MS - WEEK_MS)
    .executeTakeFirst()
  const { numDeletedRows } = await kysely
    .deleteFrom('leituras')
    .where('minuto', '<=', instant - HOUR_MS)
    .executeTakeFirst()
  return Number(numDeletedRows) + Number(horas.numDeletedRows)
}
