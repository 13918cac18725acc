import { sql } from 'kysely'
import { periodoOf } from '../documento/dia.ts'
import type { Db } from '../platform/db/db.ts'

/** The advisory lock under which nodes make partitions: any number of our own. */
const LOCK = 5_461_010
/** A drop waits for those who read the table, and whoever writes waits behind it: for this long at most. */
const DROP_MS = 2_000

/** The first moment of a month (`AAAA-MM`), Brasília time. */
const startOf = (mes: string): number => Date.parse(`${mes}-01T00:00:00-03:00`)

/** The month after one. */
export const monthAfter = (mes: string): string => periodoOf(new Date(startOf(mes) + 32 * 86_400_000))

/** Makes the partitions of months that have none. */
export async function createPartitions({ kysely }: Db, months: readonly string[]): Promise<void> {
  await kysely.transaction().execute(async (trx) => {
    await sql`select pg_advisory_xact_lock(${LOCK})`.execute(trx)
    for (const mes of months) {
      const [from, to] = [startOf(mes), startOf(monthAfter(mes))].map((bound) => sql.lit(bound))
      await sql`create table if not exists ${sql.table(nameOf(mes))}
        partition of usos for values from (${from}) to (${to})`.execute(trx)
    }
  })
}

/** Drops the partitions of months that ended by `instant`; returns how many. */
export async function dropPartitions({ kysely }: Db, instant: number): Promise<number> {
  const { rows } = await sql<{ nome: string }>`
    select c.relname as nome from pg_inherits i join pg_class c on c.oid = i.inhrelid
    where i.inhparent = 'usos'::regclass`.execute(kysely)
  const over = rows.filter(({ nome }) => startOf(monthAfter(monthOf(nome))) <= instant)
  for (const { nome } of over)
    await kysely.transaction().execute(async (trx) => {
      await sql`set local lock_timeout = ${sql.lit(DROP_MS)}`.execute(trx)
      await sql`drop table if exists ${sql.table(nome)}`.execute(trx)
    })
  return over.length
}

const nameOf = (mes: string): string => `usos_${mes.replace('-', '_')}`
const monthOf = (nome: string): string => nome.slice('usos_'.length).replace('_', '-')
