import { CompiledQuery, sql } from 'kysely'
import type { Db } from '../platform/db/db.ts'
import { relaxed } from '../platform/db/queries.ts'
import type { UsosTable } from '../platform/db/tables.ts'

/** Writes rows, without waiting for the disk; a row that is there already stays as it is. */
export function insertUsos(db: Db, rows: readonly UsosTable[]): Promise<unknown> {
  // Side by side in the index of the accounts: with ten accounts a row took half as much again (2026-11-23).
  const ordered = rows.toSorted((a, b) => (a.conta_id < b.conta_id ? -1 : Number(a.conta_id > b.conta_id)))
  return db.dialect === 'sqlite' ? insertEach(db, ordered) : insertTogether(db, ordered)
}

const relax = CompiledQuery.raw('pragma synchronous = normal')
const insist = CompiledQuery.raw('pragma synchronous = full')
const begin = CompiledQuery.raw('begin')
const commit = CompiledQuery.raw('commit')
const rollback = CompiledQuery.raw('rollback')
const insertOf = (rows: number) =>
  CompiledQuery.raw(
    `insert into usos (criado_em, request_id, conta_id, endpoint, documento, uf, http, error_code, creditos, cached,
    ms, fontes_falhas, fonte_code) values ${Array(rows).fill('(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)').join()}
    on conflict do nothing`,
  )
/** Rows of a statement: with 50 a row takes more again. */
const TOGETHER = 10
const insertTen = insertOf(TOGETHER)
const insertOne = insertOf(1)

/** On the embedded database a statement of a few rows takes half the CPU of one for all (2026-11-22). */
const insertEach = ({ exclusive }: Db, rows: readonly UsosTable[]): Promise<void> =>
  exclusive(async (query) => {
    await query(relax, [])
    try {
      await query(begin, [])
      let at = 0
      for (; at + TOGETHER <= rows.length; at += TOGETHER)
        await query(insertTen, rows.slice(at, at + TOGETHER).flatMap(valuesOf))
      for (const row of rows.slice(at)) await query(insertOne, valuesOf(row))
      await query(commit, [])
    } catch (error) {
      await query(rollback, []).catch(() => {})
      throw error
    } finally {
      await query(insist, [])
    }
  })

/** On PostgreSQL all rows travel as one JSON text: parameters took half as much CPU again (2026-11-22). */
const insertTogether = (db: Db, rows: readonly UsosTable[]): Promise<unknown> =>
  relaxed(db, (connection) =>
    sql`insert into usos (criado_em, request_id, conta_id, endpoint, documento, uf, http, error_code, creditos,
        cached, ms, fontes_falhas, fonte_code)
      select cast(j.value ->> 0 as bigint), j.value ->> 1, j.value ->> 2, j.value ->> 3, j.value ->> 4,
        j.value ->> 5, cast(j.value ->> 6 as integer), j.value ->> 7, cast(j.value ->> 8 as bigint),
        cast(j.value ->> 9 as integer), cast(j.value ->> 10 as integer), cast(j.value ->> 11 as integer),
        j.value ->> 12
      from json_each(${JSON.stringify({ ...rows.map(valuesOf) })}) as j where true
      on conflict do nothing`.execute(connection),
  )

/** The values of a row, in the statement's order. */
const valuesOf = (row: UsosTable): (string | number)[] => [
  row.criado_em,
  row.request_id,
  row.conta_id,
  row.endpoint,
  row.documento,
  row.uf,
  row.http,
  row.error_code,
  row.creditos,
  row.cached,
  row.ms,
  row.fontes_falhas,
  row.fonte_code,
]

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
