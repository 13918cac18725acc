import { type Kysely, sql } from 'kysely'
import { migrations } from './migrations.ts'
import { StoreError } from './outage.ts'
import type { Dialect, Tables } from './tables.ts'

/** The version of the schema that this program makes and knows. */
export const SCHEMA_VERSION = migrations.length

/** The number of the advisory lock for nodes that start at once. We chose it freely. */
const LOCK = 5_461_001

/**
 * Brings the schema up to date (or up to version `upTo`), in one transaction that one process at a time runs.
 * Throws StoreError when the schema is newer than the program.
 */
export async function migrate(db: Kysely<Tables>, dialect: Dialect, upTo = SCHEMA_VERSION): Promise<void> {
  await db.transaction().execute(async (trx) => {
    if (dialect === 'postgres') await sql`select pg_advisory_xact_lock(${LOCK})`.execute(trx)
    await trx.schema
      .createTable('esquema')
      .ifNotExists()
      .addColumn('versao', 'integer', (col) => col.primaryKey())
      .execute()
    const { rows } = await sql<{ versao: number | null }>`select max(versao) as versao from esquema`.execute(
      trx,
    )
    const versao = rows[0]?.versao ?? 0
    if (versao > SCHEMA_VERSION) throw newerSchema(versao)
    for (const [index, up] of migrations.slice(0, upTo).entries()) {
      if (index < versao) continue
      await up(trx, dialect)
      await sql`insert into esquema (versao) values (${index + 1})`.execute(trx)
    }
  })
}

const newerSchema = (versao: number): StoreError =>
  new StoreError(
    `O banco de dados está na versão ${versao} e este programa só conhece até a ${SCHEMA_VERSION}. ` +
      'Use o Consulta Fiscal mais novo que já abriu este banco, ou restaure a cópia de segurança anterior à atualização.',
  )
