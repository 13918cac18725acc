import type { Db } from '../db/db.ts'
import { relaxed } from '../db/relaxed.ts'
import type { UsosTable } from '../db/tables.ts'

/** Writes rows in one statement; one that is there already stays as it is. Nobody waits for the disk. */
export const insertUsos = (db: Db, rows: readonly UsosTable[]): Promise<unknown> =>
  relaxed(db, (connection) =>
    connection
      .insertInto('usos')
      .values(rows)
      .onConflict((on) => on.doNothing())
      .execute(),
  )

/** Deletes the oldest rows from before `instant`, at most `most` of them; returns how many. */
export async function deleteOldest({ kysely }: Db, instant: number, most: number): Promise<number> {
  const { numDeletedRows } = await kysely
    .deleteFrom('usos')
    .where(({ eb, refTuple, selectFrom }) =>
      eb(
        refTuple('criado_em', 'request_id'),
        'in',
        selectFrom('usos')
          .select(['criado_em', 'request_id'])
          .where('criado_em', '<', instant)
          .orderBy('criado_em')
          .limit(most)
          .$asTuple('criado_em', 'request_id'),
      ),
    )
    .executeTakeFirst()
  return Number(numDeletedRows)
}
