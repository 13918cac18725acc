import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { openLedger } from '../../src/platform/ledger/ledger.ts'
import { newConta } from '../kit/account.ts'
import { NOW } from '../kit/basics.ts'
import { assertBooks, forEachDatabase, openFor } from '../kit/databases.ts'

forEachDatabase((dialect, fresh) => {
  if (dialect === 'sqlite') return

  test('connections that break at any moment lose no charge and repeat none', async (t) => {
    const place = await fresh(t)
    const db = await openFor(t, place)
    const conta = await newConta(db, 'pro')
    const ledger = openLedger(db, { no: 'no-1', now: () => NOW })
    const charge = (i: number) => ledger.charge({ conta, request_id: `r${i}`, endpoint: '', creditos: 1 })
    let next = 0
    let ok = 0
    const worker = async (): Promise<void> => {
      while (next < 1_000) if ((await charge(next++)).ok) ok += 1
    }
    const work = Promise.all(Array.from({ length: 10 }, worker))
    const saboteur = await openFor(t, place)
    while (ok < 1_000) {
      await sql`select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and pid <> pg_backend_pid()`.execute(saboteur.kysely)
      const before = ok
      while (ok < 1_000 && ok < before + 60) await Promise.race([work, charge(10_000)])
    }
    await work
    assert.deepEqual(await assertBooks(db, conta.id), { cota: 10_000 - 1_001, extra: 0 })
  })
})
