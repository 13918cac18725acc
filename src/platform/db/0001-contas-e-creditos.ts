import { type Kysely, sql } from 'kysely'
import type { Dialect, Tables } from './tables.ts'

/** Accounts, their keys, the ledger and the rate limit. */
export async function contasECreditos(db: Kysely<Tables>, dialect: Dialect): Promise<void> {
  await createContas(db)
  await createLedger(db, dialect)
  // Nodes share this table. A crash of PostgreSQL loses it, on purpose.
  if (dialect === 'postgres')
    await sql`create unlogged table limites (key text primary key, points integer not null, expire bigint not null)`.execute(
      db,
    )
}

async function createContas(db: Kysely<Tables>): Promise<void> {
  await db.schema
    .createTable('contas')
    .addColumn('id', 'text', (col) => col.primaryKey())
    .addColumn('nome', 'text', (col) => col.notNull())
    .addColumn('email', 'text', (col) => col.notNull().unique())
    .addColumn('senha_hash', 'text')
    .addColumn('plano', 'text', (col) => col.notNull())
    .addColumn('preco_exclusivo', 'integer', (col) => col.notNull().defaultTo(0))
    .addColumn('criada_em', 'bigint', (col) => col.notNull())
    .execute()
  await db.schema
    .createTable('chaves')
    .addColumn('id', 'text', (col) => col.primaryKey())
    .addColumn('conta_id', 'text', (col) => col.notNull().references('contas.id'))
    .addColumn('hash', 'text', (col) => col.notNull().unique())
    .addColumn('cifrada', 'text', (col) => col.notNull())
    .addColumn('criada_em', 'bigint', (col) => col.notNull())
    .addColumn('expira_em', 'bigint')
    .execute()
  await sql`create unique index chaves_atual on chaves (conta_id) where expira_em is null`.execute(db)
}

async function createLedger(db: Kysely<Tables>, dialect: Dialect): Promise<void> {
  // Each page keeps room for the next version of a balance. Its update then leaves the index alone.
  await db.schema
    .createTable('saldos')
    .addColumn('conta_id', 'text', (col) => col.primaryKey().references('contas.id'))
    .addColumn('cota', 'bigint', (col) => col.notNull().check(sql`cota >= 0`))
    .addColumn('extra', 'bigint', (col) => col.notNull().check(sql`extra >= 0`))
    .addColumn('periodo', 'text', (col) => col.notNull())
    .addColumn('concedida', 'bigint', (col) => col.notNull())
    .addColumn('ultimo_request', 'text', (col) => col.notNull())
    .addColumn('ultimo_tipo', 'text', (col) => col.notNull())
    .modifyEnd(dialect === 'postgres' ? sql`with (fillfactor = 50)` : sql``)
    .execute()
  // No foreign key: every entry is written under the lock of its `saldos` row, which has one. No index by
  // account: it would double the cost of a charge, so an account's entries are a chain from the newest one
  // back.
  await db.schema
    .createTable('lancamentos')
    .addColumn('conta_id', 'text', (col) => col.notNull())
    .addColumn('request_id', 'text', (col) => col.notNull())
    .addColumn('tipo', 'text', (col) =>
      col.notNull().check(sql`tipo in ('hold', 'charge', 'release', 'grant', 'renewal')`),
    )
    .addColumn('creditos', 'bigint', (col) => col.notNull().check(sql`creditos >= 0`))
    .addColumn('cota', 'bigint', (col) => col.notNull())
    .addColumn('extra', 'bigint', (col) => col.notNull())
    .addColumn('endpoint', 'text', (col) => col.notNull())
    .addColumn('criado_em', 'bigint', (col) => col.notNull())
    .addColumn('no', 'text', (col) => col.notNull())
    .addColumn('anterior_request', 'text', (col) => col.notNull())
    .addColumn('anterior_tipo', 'text', (col) => col.notNull())
    .addPrimaryKeyConstraint('lancamentos_pk', ['request_id', 'tipo'])
    .modifyEnd(dialect === 'sqlite' ? sql`without rowid` : sql``)
    .execute()
  await createProcessTables(db)
}

async function createProcessTables(db: Kysely<Tables>): Promise<void> {
  await db.schema
    .createTable('retencoes')
    .addColumn('request_id', 'text', (col) => col.primaryKey())
    .addColumn('conta_id', 'text', (col) => col.notNull())
    .addColumn('endpoint', 'text', (col) => col.notNull())
    .addColumn('cota', 'bigint', (col) => col.notNull())
    .addColumn('extra', 'bigint', (col) => col.notNull())
    .addColumn('periodo', 'text', (col) => col.notNull())
    .addColumn('no', 'text', (col) => col.notNull())
    .addColumn('criada_em', 'bigint', (col) => col.notNull())
    .execute()
  await db.schema
    .createTable('nos')
    .addColumn('id', 'text', (col) => col.primaryKey())
    .addColumn('batimento', 'bigint', (col) => col.notNull())
    .execute()
}
