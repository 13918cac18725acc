import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { openDb } from '../../src/platform/db/db.ts'
import { StoreError } from '../../src/platform/db/outage.ts'
import { pausa } from '../kit/basics.ts'
import { forEachDatabase, openFor } from '../kit/databases.ts'

forEachDatabase((dialect, fresh) => {
  if (dialect === 'sqlite') return

  test('a role that does not exist is called so, and a refusal of pg_hba.conf by its name', async (t) => {
    const place = await fresh(t)
    const db = await openFor(t, place)
    const hbaOf = () =>
      sql<{ linhas: string; arquivo: string }>`
        select pg_read_file(current_setting('hba_file')) as linhas, current_setting('hba_file') as arquivo`.execute(
        db.kysely,
      )
    const [hba] = (await hbaOf()).rows
    assert.ok(hba)
    /** Sets who may connect, for connections from now on. */
    const letIn = async (lines: string): Promise<void> => {
      const escaped = lines.replaceAll("'", "''")
      // The server itself writes the file, line by line and unchanged.
      const copy = `copy (select regexp_split_to_table('${escaped}', E'\\n')) to '${hba.arquivo}' with (format text)`
      await sql.raw(copy).execute(db.kysely)
      await sql`select pg_reload_conf()`.execute(db.kysely)
    }
    const refusalOf = async (user: string): Promise<string> => {
      const databaseUrl = (place.databaseUrl ?? '').replace('postgres:teste@', `${user}:teste@`)
      const error = await openDb({ ...place, databaseUrl }).catch((thrown) => thrown)
      assert.ok(error instanceof StoreError, String(error))
      return error.message
    }
    try {
      await letIn('host all recusado all reject\nhost all all all trust\nlocal all all trust')
      // The server takes the new rules a moment later.
      while (!/pg_hba/.test(await refusalOf('recusado'))) await pausa()
      assert.match(await refusalOf('ninguem'), /esse usuário não existe.*createuser/)
      assert.doesNotMatch(await refusalOf('ninguem'), /pg_hba/)
    } finally {
      await letIn(hba.linhas.trimEnd())
    }
  })
})
