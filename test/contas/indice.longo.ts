import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { test } from 'node:test'
import { sql } from 'kysely'
import { findUsos, sumDias } from '../../src/contas/store-dias.ts'
import { openUsos } from '../../src/contas/store-usos.ts'
import type { Db } from '../../src/platform/db/db.ts'
import { pausa } from '../kit/basics.ts'
import { assertSomas } from '../kit/contas.ts'
import { forEachDatabase, openFor } from '../kit/databases.ts'

const CHILDREN = join(import.meta.dirname, '../kit/children.ts')
const KILLS = 10
const ALL = { de: '2020-01-01', ate: '2099-12-31' }

/** What a killed process had sent may still be done: each comparison sees the database of one moment. */
const inOneMoment = (db: Db, work: (then: Db) => Promise<void>): Promise<void> =>
  db.dialect === 'postgres'
    ? db.kysely
        .transaction()
        .setIsolationLevel('repeatable read')
        .execute((kysely) => work({ ...db, kysely }))
    : work(db)

/** What is read of each account is what its rows come to. */
async function assertRead(db: Db): Promise<void> {
  const { rows } = await sql<{ conta_id: string; chamadas: number; creditos: number }>`
    select conta_id, cast(count(*) as bigint) as chamadas, cast(sum(creditos) as bigint) as creditos
    from usos group by conta_id order by conta_id`.execute(db.kysely)
  assert.ok(rows.length > 0)
  for (const { conta_id, chamadas, creditos } of rows) {
    const dias = await sumDias(db, conta_id, ALL)
    const sum = (key: 'chamadas' | 'creditos') => dias.reduce((total, dia) => total + dia[key], 0)
    assert.deepEqual([sum('chamadas'), sum('creditos')], [chamadas, creditos])
    const alcance = { sentido: 'antigas', marco: undefined, linhas: 100_000, scan: 100_000 } as const
    const { usos } = await findUsos(db, conta_id, ALL, alcance)
    assert.equal(usos.length, chamadas)
    assert.equal(new Set(usos.map(({ request_id }) => request_id)).size, chamadas)
  }
}

/** Whether PostgreSQL still carries out a statement of another session. */
async function isBusy({ dialect, kysely }: Db): Promise<boolean> {
  if (dialect === 'sqlite') return false
  const { rows } = await sql`select 1 from pg_stat_activity
    where datname = current_database() and state = 'active' and pid <> pg_backend_pid()`.execute(kysely)
  return rows.length > 0
}

forEachDatabase((_dialect, fresh) => {
  test('kill -9 while the index is brought up: each call is read once at once, and summed once in the end', async (t) => {
    const { arquivo, databaseUrl } = await fresh(t)
    const db = await openFor(t, { arquivo, databaseUrl })
    for (let kill = 0; kill < KILLS; kill++) {
      const args = [CHILDREN, 'usar', arquivo, ...(databaseUrl ? [databaseUrl] : [])]
      const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
      const ended = once(child, 'close')
      let writes = 0
      for await (const line of createInterface(child.stdout))
        if (line === 'write' && ++writes === 1 + (kill % 5)) child.kill('SIGKILL')
      await ended
      assert.equal(child.signalCode, 'SIGKILL')
      await inOneMoment(db, assertRead)
    }
    // What is compared last is read in two moments: a statement of a dead process would come between them.
    while (await isBusy(db)) await pausa()
    const usos = openUsos(db, { now: () => new Date(Date.now() + 1_000), log: console })
    await usos.close()
    await assertSomas(db, 101)
  })
})
