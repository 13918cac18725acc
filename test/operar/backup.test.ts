import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { Kysely, sql } from 'kysely'
import { openDb } from '../../src/platform/db/db.ts'
import { migrate, SCHEMA_VERSION } from '../../src/platform/db/migrate.ts'
import { openSqlite } from '../../src/platform/db/sqlite.ts'
import type { Tables } from '../../src/platform/db/tables.ts'
import { fiscal, install } from '../kit/processes.ts'

test('a copy of an older schema goes back, and so does one with figures of the planner', async (t) => {
  const { pasta, env, banco } = await install(t)
  const copia = join(pasta, 'antiga.db')
  const { dialect } = openSqlite(copia)
  const older = new Kysely<Tables>({ dialect })
  await migrate(older, 'sqlite', SCHEMA_VERSION - 2)
  await sql`analyze`.execute(older)
  await older.destroy()
  const { code, stderr, stdout } = await fiscal(env, 'restaurar', copia, '--json')
  assert.deepEqual([code, stderr], [0, ''])
  assert.equal(JSON.parse(stdout).esquema, SCHEMA_VERSION - 2)
  const db = await openDb({ databaseUrl: undefined, arquivo: banco })
  await db.close()
})

test('on PostgreSQL both commands say what to use instead, without the password', async (t) => {
  const { pasta, env } = await install(t)
  const shared = { ...env, DATABASE_URL: 'postgres://fiscal:segredo-na-url@127.0.0.1:1/banco' }
  for (const command of ['backup', 'restaurar']) {
    const { code, stderr } = await fiscal(shared, command, join(pasta, 'copia'))
    assert.equal(code, 1)
    assert.match(stderr, /pg_dump.*pg_restore/)
    assert.doesNotMatch(stderr, /segredo-na-url/)
  }
})
