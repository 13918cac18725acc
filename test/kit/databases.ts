import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, type TestContext } from 'node:test'
import type { Conta } from '../../src/contas/store-contas.ts'
import { type Db, openDb } from '../../src/platform/db/db.ts'
import type { Dialect } from '../../src/platform/db/tables.ts'
import type { NomePlano } from '../../src/platform/ledger/rules.ts'
import { newConta as makeConta } from './conta.ts'
import { putDatabase } from './empty-database.ts'
import { NOW } from './now.ts'
import { type Postgres, startPostgres } from './postgres.ts'

/** The place of a database, as `openDb` takes it. */
export type Place = { databaseUrl: string | undefined; arquivo: string }

let server: Promise<{ postgres: Postgres; migrated: string }> | undefined

after(async () => {
  await (await server)?.postgres.stop()
})

/**
 * A PostgreSQL with one database that has the schema. A copy of it takes a sixth of the time of making one.
 */
async function startServer(): Promise<{ postgres: Postgres; migrated: string }> {
  const postgres = await startPostgres({ durable: false })
  const migrated = await postgres.createDatabase()
  const db = await openDb({ databaseUrl: migrated, arquivo: '' })
  await db.close()
  return { postgres, migrated }
}

/** A new PostgreSQL database. Its server starts with the first call and stops after the last test. */
export async function newPostgres({ schema = true }: { schema?: boolean } = {}): Promise<string> {
  server ??= startServer()
  const { postgres, migrated } = await server
  return postgres.createDatabase(schema ? migrated : undefined)
}

/**
 * Gives the place of a new database without rows, which is removed with the test. `schema: false` leaves its
 * schema out.
 */
export type Fresh = (t: TestContext, options?: { schema?: boolean }) => Promise<Place>

/** Defines the same tests for both databases, or for these. */
export function forEachDatabase(
  define: (dialect: Dialect, fresh: Fresh) => void,
  dialects: readonly Dialect[] = ['sqlite', 'postgres'],
): void {
  for (const dialect of dialects)
    describe(dialect, () => {
      define(dialect, async (t, options) => {
        const pasta = mkdtempSync(join(tmpdir(), 'consulta-fiscal-store-'))
        t.after(() => rmSync(pasta, { recursive: true, force: true }))
        const arquivo = join(pasta, 'banco.sqlite')
        if (dialect === 'postgres') return { databaseUrl: await newPostgres(options), arquivo }
        if (options?.schema !== false) await putDatabase(arquivo)
        return { databaseUrl: undefined, arquivo }
      })
    })
}

/** Opens a database. It is closed with the test. */
export async function openFor(t: TestContext, place: Place): Promise<Db> {
  const db = await openDb(place)
  t.after(() => db.close())
  return db
}

/** Makes an account at the tests' instant. */
export const newConta = (db: Db, plano: NomePlano = 'lite', now: Date = NOW): Promise<Conta> =>
  makeConta(db, plano, now)
