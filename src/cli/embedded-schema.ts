import type { DatabaseSync } from 'node:sqlite'
import { Kysely, sql } from 'kysely'
import { migrate } from '../platform/db/migrate.ts'
import { openSqlite } from '../platform/db/sqlite.ts'
import type { Tables } from '../platform/db/tables.ts'

/** A row of SQLite's catalogue. */
type Linha = { type?: unknown; name?: unknown; tbl_name?: unknown; sql?: unknown }
/** What a database has, by kind and name in Portuguese, each with the words that made it. */
type Catalogo = ReadonlyMap<string, string>

const ROWS = 'select type, name, tbl_name, sql from sqlite_schema'
const NOUNS: Record<string, string> = { table: 'tabela', index: 'índice', trigger: 'gatilho', view: 'visão' }
/** What ANALYZE leaves: figures for the planner. */
const STATISTICS = /^tabela sqlite_stat[14]$/

/**
 * How an open database differs from the one that this program makes in schema `versao`, each difference in
 * Portuguese words: tables, indexes, triggers and views that are strange, changed or lost. Nothing in it is
 * run.
 */
export async function schemaDifferences(database: DatabaseSync, versao: number): Promise<string[]> {
  const own = await catalogueAt(versao)
  const theirs = toCatalogo(database.prepare(ROWS).all())
  const strange = [...theirs].flatMap(([name, made]) => {
    if (!own.has(name)) return STATISTICS.test(name) ? [] : [`${name} não é deste programa`]
    return own.get(name) === made ? [] : [`${name} está diferente`]
  })
  return [...strange, ...[...own.keys()].filter((name) => !theirs.has(name)).map((name) => `falta ${name}`)]
}

/**
 * Whether the table of versions is the plain one of this program, so that reading it runs nothing
 * strange.
 */
export async function hasOwnVersions(database: DatabaseSync): Promise<boolean> {
  const theirs = toCatalogo(database.prepare(ROWS).all())
  return [...(await catalogueAt(0))].every(([name, made]) => theirs.get(name) === made)
}

const toCatalogo = (rows: readonly Linha[]): Catalogo =>
  new Map(
    rows.map(({ type, name, tbl_name, sql }) => [
      `${NOUNS[String(type)] ?? 'objeto'} ${name}`,
      JSON.stringify([tbl_name, sql === null ? null : String(sql).replaceAll(/\s+/g, ' ')]),
    ]),
  )

/** The catalogue after the migrations up to `versao`, from a database in memory. */
async function catalogueAt(versao: number): Promise<Catalogo> {
  const kysely = new Kysely<Tables>({ dialect: openSqlite(':memory:').dialect })
  try {
    await migrate(kysely, 'sqlite', versao)
    const { rows } = await sql<Linha>`${sql.raw(ROWS)}`.execute(kysely)
    return toCatalogo(rows)
  } finally {
    await kysely.destroy()
  }
}
