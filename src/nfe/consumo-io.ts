import { sql } from 'kysely'
import type { Db } from '../platform/db/db.ts'
import { relaxed } from '../platform/db/queries.ts'
import type { ConsumoTable } from '../platform/db/tables.ts'

/** The most queries by key of a holder in an hour (NT 2014.002 v1.21, 3.11.4). */
export const LIMITE = 20

/** Digits of an instant, until the year 2286. */
const WIDTH = 13
const LENGTH = sql.lit(WIDTH * LIMITE)
/** The place of the oldest of the last 20 instants. It is empty while there were fewer. */
const OLDEST = sql.lit(WIDTH * (LIMITE - 1) + 1)

type Row = Omit<ConsumoTable, 'titular'>

const write = (instant: number): string => String(instant).padStart(WIDTH, '0')

/** The instant at a place, 0 for the newest. The result is 0 where there were not as many. */
export const atInstant = (instantes: string, place: number): number =>
  Number(instantes.slice(place * WIDTH, (place + 1) * WIDTH))

/**
 * Writes one query down and returns the holder's row. Undefined, with nothing written, if the holder is
 * blocked or the 20th last query was after `since`; one statement, so that no 21st passes on any node.
 */
export async function insertConsulta(
  db: Db,
  { titular, instant, since }: { titular: string; instant: number; since: number },
): Promise<Row | undefined> {
  const statement = sql<Row>`
    insert into consumo as c (titular, instantes, bloqueado_ate) values (${titular}, ${write(instant)}, 0)
    on conflict (titular) do update set instantes = substr(excluded.instantes || c.instantes, 1, ${LENGTH})
    where c.bloqueado_ate <= ${instant} and substr(c.instantes, ${OLDEST}) <= ${write(since)}
    returning instantes, bloqueado_ate`
  const { rows } = await relaxed(db, (connection) => statement.execute(connection))
  return rows[0]
}

/** Takes the newest query back. Of several written at once, any one serves. */
export async function deleteConsulta(db: Db, titular: string): Promise<void> {
  const instantes = sql<string>`substr(instantes, ${sql.lit(WIDTH + 1)})`
  await relaxed(db, (connection) =>
    connection.updateTable('consumo').set({ instantes }).where('titular', '=', titular).execute(),
  )
}

/**
 * Writes the end of a holder's block, unless a later one is known, and returns the one that holds. It forgets
 * what was counted before, which is older.
 */
export async function upsertBlock(
  db: Db,
  { titular, bloqueado_ate }: { titular: string; bloqueado_ate: number },
): Promise<number> {
  const statement = sql<Pick<Row, 'bloqueado_ate'>>`
    insert into consumo as c (titular, instantes, bloqueado_ate) values (${titular}, '', ${bloqueado_ate})
    on conflict (titular) do update set instantes = '', bloqueado_ate =
      case when c.bloqueado_ate > excluded.bloqueado_ate then c.bloqueado_ate else excluded.bloqueado_ate end
    returning bloqueado_ate`
  const { rows } = await relaxed(db, (connection) => statement.execute(connection))
  return rows[0]?.bloqueado_ate ?? bloqueado_ate
}

/** The row of a holder. */
export const selectConsumo = ({ kysely }: Db, titular: string): Promise<Row | undefined> =>
  kysely
    .selectFrom('consumo')
    .select(['instantes', 'bloqueado_ate'])
    .where('titular', '=', titular)
    .executeTakeFirst()

/**
 * Deletes the rows of holders without a block at `instant` and without a query since `since`. Returns how
 * many.
 */
export async function sweepConsumo(
  { kysely }: Db,
  { instant, since }: { instant: number; since: number },
): Promise<number> {
  const { numDeletedRows } = await kysely
    .deleteFrom('consumo')
    .where('bloqueado_ate', '<=', instant)
    .where(sql<string>`substr(instantes, 1, ${sql.lit(WIDTH)})`, '<=', write(since))
    .executeTakeFirst()
  return Number(numDeletedRows)
}
