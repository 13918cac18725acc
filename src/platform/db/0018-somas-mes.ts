import { type Kysely, sql } from 'kysely'
import type { Dialect, Tables } from './tables.ts'

/** What the entries of an account's month come to, up to one of them. */
export async function somasMes(db: Kysely<Tables>, dialect: Dialect): Promise<void> {
  await db.schema
    .createTable('somas_mes')
    .addColumn('conta_id', 'text', (col) => col.notNull().references('contas.id'))
    .addColumn('mes', 'text', (col) => col.notNull())
    .addColumn('ate_request', 'text', (col) => col.notNull())
    .addColumn('ate_tipo', 'text', (col) => col.notNull())
    .addColumn('somas', 'text', (col) => col.notNull())
    .addPrimaryKeyConstraint('somas_mes_pk', ['conta_id', 'mes'])
    .$call((table) => (dialect === 'sqlite' ? table.modifyEnd(sql`without rowid`) : table))
    .execute()
}
