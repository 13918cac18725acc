import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { sql } from 'kysely'
import { createPartitions } from '../../src/contas/store-usos.ts'
import type { Db } from '../../src/platform/db/db.ts'
import { NOW } from '../kit/basics.ts'
import { forEachDatabase, openFor } from '../kit/databases.ts'

/** The tables that docs/operations/disk.md names, with what keeps each from growing. */
function documented(): Set<string> {
  const text = readFileSync(join(import.meta.dirname, '../../docs/operations/disk.md'), 'utf8')
  const [, after = ''] = text.split('| Table | Holds | For how long |')
  const [list = ''] = after.split('\n\n')
  const cells = list.split('\n').map((line) => line.split('|')[1] ?? '')
  return new Set(cells.flatMap((cell) => [...cell.matchAll(/`(\w+)`/g)].map(([, name = '']) => name)))
}

/** The tables of a database; the partitions of one are part of it. */
async function tablesOf(db: Db): Promise<string[]> {
  const query =
    db.dialect === 'postgres'
      ? sql<{ nome: string }>`select relname as nome from pg_class where relkind in ('r', 'p')
          and not relispartition and relnamespace = 'public'::regnamespace`
      : sql<{
          nome: string
        }>`select name as nome from sqlite_schema where type = 'table' and name not like 'sqlite_%'`
  return (await query.execute(db.kysely)).rows.map(({ nome }) => nome)
}

const unkept = async (db: Db): Promise<string[]> => {
  const known = documented()
  return (await tablesOf(db)).filter((name) => !known.has(name))
}

forEachDatabase((dialect, fresh) => {
  test('each table stands in the list of what keeps it from growing', async (t) => {
    const db = await openFor(t, await fresh(t))
    if (dialect === 'postgres') await createPartitions(db, [NOW.toISOString().slice(0, 7)])
    assert.deepEqual(await unkept(db), [])
  })

  test('a table that the list lacks is found', async (t) => {
    const db = await openFor(t, await fresh(t))
    await sql`create table plantada (a text)`.execute(db.kysely)
    assert.deepEqual(await unkept(db), ['plantada'])
  })

  test('the list names no table that there is not', async (t) => {
    const tables = new Set(await tablesOf(await openFor(t, await fresh(t))))
    // The embedded database counts the calls of a minute in memory, and no older node shares it.
    if (dialect === 'sqlite') for (const name of ['limites', 'cargas', 'turnos']) tables.add(name)
    // PostgreSQL has an index in its place.
    else tables.add('usos_indice')
    assert.deepEqual(
      [...documented()].filter((name) => !tables.has(name)),
      [],
    )
  })
})
