import { type Kysely, sql } from 'kysely'
import { codeOf } from '../wire/fonte.ts'
import { migrations } from './migrations.ts'
import { StoreError } from './outage.ts'
import type { Dialect, Tables } from './tables.ts'

/** The version of the schema that this program makes and knows. */
export const SCHEMA_VERSION = migrations.length

/** The number of the advisory lock that releases up to schema 22 know. The next release drops it. */
const LOCK = 5_461_001

/**
 * Brings the schema up to date (or up to version `upTo`), in one transaction that one process at a time runs.
 * Throws StoreError when the schema is newer than the program.
 */
export async function migrate(db: Kysely<Tables>, dialect: Dialect, upTo = SCHEMA_VERSION): Promise<void> {
  await createEsquema(db)
  await db.transaction().execute(async (trx) => {
    if (dialect === 'postgres') await sql`select pg_advisory_xact_lock(${LOCK})`.execute(trx)
    const versao = await lockEsquema(trx, dialect)
    if (versao > SCHEMA_VERSION) throw newerSchema(versao)
    for (const [index, up] of migrations.slice(0, upTo).entries()) {
      if (index < versao) continue
      await up(trx, dialect)
      await sql`insert into esquema (versao) values (${index + 1}) on conflict do nothing`.execute(trx)
    }
  })
}

/** SQLSTATE of a table, or of its type, that another process made at the same moment. */
const MADE: ReadonlySet<string> = new Set(['42P07', '42710', '23505'])

const createEsquema = (db: Kysely<Tables>): Promise<void> =>
  db.schema
    .createTable('esquema')
    .ifNotExists()
    .addColumn('versao', 'integer', (col) => col.primaryKey())
    .execute()
    .catch((error: unknown) => {
      if (!MADE.has(codeOf(error))) throw error
    })

/** Keeps the row of the first version until the transaction ends. Gives the version of the schema. */
async function lockEsquema(trx: Kysely<Tables>, dialect: Dialect): Promise<number> {
  if (dialect === 'postgres') {
    // On an empty database the row is the claim to make the first version: others wait for its outcome.
    const { rows } =
      await sql`insert into esquema (versao) values (1) on conflict do nothing returning versao`.execute(trx)
    if (rows.length > 0) return 0
    await sql`select versao from esquema where versao = 1 for update`.execute(trx)
  }
  const { rows } = await sql<{ versao: number | null }>`select max(versao) as versao from esquema`.execute(
    trx,
  )
  return rows[0]?.versao ?? 0
}

const newerSchema = (versao: number): StoreError =>
  new StoreError(
    `O banco de dados está na versão ${versao} e este programa só conhece até a ${SCHEMA_VERSION}. ` +
      'Use o Consulta Fiscal mais novo que já abriu este banco, ou restaure a cópia de segurança anterior à atualização.',
  )
