import { sql } from 'kysely'
import type { Db } from '../db/db.ts'
import { trusted } from '../trusted.ts'
import type { Soma, Somado } from './somas.ts'

/**
 * The sums of an account's months that are kept, each with the entry that it ends at. Read them before the
 * entry that a walk begins at, which must not be older.
 */
export async function selectKept(db: Db, conta_id: string): Promise<Map<string, Somado>> {
  const rows = await db.kysely.selectFrom('somas_mes').selectAll().where('conta_id', '=', conta_id).execute()
  return new Map(
    rows.map(({ mes, ate_request, ate_tipo, somas }) => [
      mes,
      {
        head: { request_id: ate_request, tipo: ate_tipo },
        // Proven by `keep`, which alone writes it.
        somas: trusted<Soma[]>(JSON.parse(somas)),
      },
    ]),
  )
}

/** Keeps the sums of a month. Of two nodes either may win: both are right up to their own entry. */
export async function keep(
  db: Db,
  { conta_id, mes, somado }: { conta_id: string; mes: string; somado: Somado },
): Promise<void> {
  const { head, somas } = somado
  const news = { ate_request: head.request_id, ate_tipo: head.tipo, somas: JSON.stringify(somas) }
  await db.kysely
    .insertInto('somas_mes')
    .values({ conta_id, mes, ...news })
    .onConflict((on) => on.columns(['conta_id', 'mes']).doUpdateSet(news))
    .execute()
}

/** The first accounts after an id whose newest entry is in no sum that is kept, at most `most` of them. */
export async function selectBehind(db: Db, after: string, most: number): Promise<string[]> {
  const { rows } = await sql<{ conta_id: string }>`
    select s.conta_id from saldos s
      left join somas_mes m on m.conta_id = s.conta_id and m.mes = s.periodo
    where s.conta_id > ${after}
      and (m.conta_id is null or m.ate_request <> s.ultimo_request or m.ate_tipo <> s.ultimo_tipo)
    order by s.conta_id limit ${most}`.execute(db.kysely)
  return rows.map(({ conta_id }) => conta_id)
}
