import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { copyFile, cp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, type TestContext } from 'node:test'
import { sql } from 'kysely'
import { type Db, openDb } from '../../src/platform/db/db.ts'
import type { Dialect } from '../../src/platform/db/tables.ts'
import { NOW, pausa } from './basics.ts'
import { type Postgres, startPostgres } from './postgres.ts'

const pasta = mkdtempSync(join(tmpdir(), 'banco-vazio-'))
after(() => rmSync(pasta, { recursive: true, force: true }))

let empty: Promise<string> | undefined

/**
 * Puts an embedded database with the schema and without rows at `arquivo`: a copy is faster than the
 * migrations.
 */
export async function putDatabase(arquivo: string): Promise<void> {
  empty ??= makeEmpty()
  await copyFile(await empty, arquivo)
}

async function makeEmpty(): Promise<string> {
  const arquivo = join(pasta, 'banco.sqlite')
  const db = await openDb({ databaseUrl: undefined, arquivo })
  // The last connection writes the log into the file.
  await db.close()
  return arquivo
}

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

/** The databases of a file of `npm test` whose last tests, on PostgreSQL, are those of its longo file. */
export const comResto: readonly Dialect[] = process.env.LONGO ? ['postgres'] : ['sqlite', 'postgres']

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

/** Opens a database whose cache and leases are empty: on PostgreSQL the same one for each test. */
export function emptied(dialect: Dialect, fresh: Fresh): (t: TestContext) => Promise<Db> {
  if (dialect === 'sqlite') return async (t) => openFor(t, await fresh(t))
  let db: Db | undefined
  after(() => db?.close())
  return async () => {
    db ??= await openDb({ databaseUrl: await newPostgres(), arquivo: '' })
    await db.kysely.deleteFrom('cache').execute()
    await db.kysely.deleteFrom('posses').execute()
    return db
  }
}

const SAMPLE = join(import.meta.dirname, '../../data/cnpj-amostra')

let sample: Promise<string> | undefined

after(async () => {
  if (sample) rmSync(await sample, { recursive: true, force: true })
})

/** Puts the sample base at `raiz`, as a first start at NOW makes it: a copy is faster than the import. */
export async function putSample(raiz: string): Promise<void> {
  sample ??= makeSample()
  await cp(await sample, raiz, { recursive: true })
}

async function makeSample(): Promise<string> {
  const raiz = mkdtempSync(join(tmpdir(), 'base-da-amostra-'))
  const { importCnpj } = await import('../../src/cnpj/importacao/importacao.ts')
  await importCnpj({ pasta: SAMPLE, raiz, amostra: true, now: () => NOW })
  return raiz
}

/**
 * Checks what must hold of the books at any time, all of one instant: what was charged in vain may come back
 * between two reads. Gives the account's balance from its row.
 */
export async function assertBooks(db: Db, conta_id: string): Promise<{ cota: number; extra: number }> {
  const reading = db.kysely.transaction()
  const atOnce = db.dialect === 'postgres' ? reading.setIsolationLevel('repeatable read') : reading
  const { saldo, entries, open } = await atOnce.execute(async (trx) => {
    const row = trx.selectFrom('saldos').select(['cota', 'extra']).where('conta_id', '=', conta_id)
    const saldo = await row.executeTakeFirstOrThrow()
    const entries = await trx.selectFrom('lancamentos').selectAll().where('conta_id', '=', conta_id).execute()
    const open = await trx.selectFrom('retencoes').selectAll().where('conta_id', '=', conta_id).execute()
    return { saldo: { cota: saldo.cota, extra: saldo.extra }, entries, open }
  })
  const sum = entries.reduce((s, { cota, extra }) => ({ cota: s.cota + cota, extra: s.extra + extra }), {
    cota: 0,
    extra: 0,
  })
  for (const held of open) {
    sum.cota -= held.cota
    sum.extra -= held.extra
  }
  assert.deepEqual(saldo, sum, 'the sum of the entries is the balance and what is held')
  assert.ok(saldo.cota >= 0 && saldo.extra >= 0, 'the balance is never negative')
  const keys = entries.map(({ request_id, tipo }) => `${request_id} ${tipo}`)
  assert.equal(new Set(keys).size, keys.length, 'an entry of a kind is written once for a request')
  for (const { tipo, creditos, cota, extra } of entries) {
    assert.ok(tipo !== 'hold', 'a hold is no entry')
    if (tipo === 'charge') assert.ok(creditos > 0, 'a charge is of something')
    if (tipo === 'charge' || tipo === 'debit')
      assert.equal(cota + extra, -creditos, 'a charge or a debit is what it takes')
    if (tipo === 'release') assert.ok(extra === 0 && cota === -creditos, 'a release is of lost quota')
  }
  for (const { request_id } of open)
    assert.ok(!entries.some((entry) => entry.request_id === request_id), 'what is held is not charged')
  return saldo
}

/** Makes every node of a database one that was last heard of a minute ago. */
export async function silence({ kysely }: Db): Promise<void> {
  await sql`update nos set batimento = batimento - 60000`.execute(kysely)
}

type Charge = () => Promise<unknown>

/**
 * Lets two nodes want the balance of an account at once, which a third has: `first` gets it before `second`,
 * which waits for it. Gives what both came to.
 */
export async function makeWait({ kysely }: Db, conta_id: string, first: Charge, second: Charge) {
  return kysely.transaction().execute(async (trx) => {
    await sql`select 1 from saldos where conta_id = ${conta_id} for update`.execute(trx)
    const both: Promise<unknown>[] = []
    for (const charge of [first, second]) {
      both.push(charge())
      while ((await countWaits(kysely, 'Lock')) < both.length) await pausa()
    }
    return { both: Promise.all(both) }
  })
}

/** How many sessions of the database wait for what PostgreSQL calls so. A transaction sees one count. */
export async function countWaits(kysely: Db['kysely'], what: 'Lock' | 'SyncRep'): Promise<number> {
  const { rows } = await sql`
    select 1 from pg_stat_activity where datname = current_database()
      and ${what} in (wait_event_type, wait_event)`.execute(kysely)
  return rows.length
}
