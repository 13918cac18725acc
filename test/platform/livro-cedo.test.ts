import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { sql } from 'kysely'
import type { Db } from '../../src/platform/db/db.ts'
import { openCommitHealth } from '../../src/platform/db/queries.ts'
import { openBatch } from '../../src/platform/ledger/io.ts'
import { openLedger } from '../../src/platform/ledger/ledger.ts'
import { newConta } from '../kit/account.ts'
import { NOW } from '../kit/basics.ts'
import { assertBooks, forEachDatabase, makeWait, openFor, type Place } from '../kit/databases.ts'

/** A node whose groups are of one charge. */
function openNode(db: Db, no: string) {
  const { commit, ways } = openBatch(db, { no, now: () => NOW, health: openCommitHealth(db) })
  const charge = (conta_id: string) =>
    commit([{ kind: 'charge', conta_id, request_id: randomUUID(), endpoint: '', creditos: 1 }])
  return { charge, ways }
}

const EARLY = 64

/** Makes the role that docs/operations/postgresql.md asks for, in a database without a schema. */
async function openOwned({ kysely }: Db, url: URL): Promise<Place> {
  const role = `fiscal_${randomUUID().slice(0, 8)}`
  await sql.raw(`create role ${role} login password 'teste'`).execute(kysely)
  await sql.raw(`alter database ${url.pathname.slice(1)} owner to ${role}`).execute(kysely)
  const owned = new URL(url)
  owned.username = role
  return { databaseUrl: owned.href, arquivo: '' }
}

forEachDatabase(
  (_dialect, fresh) => {
    test('who waited for the balance of another node frees its own before the disk in the groups that follow', async (t) => {
      const place = await fresh(t)
      const [db, beside, third] = [await openFor(t, place), await openFor(t, place), await openFor(t, place)]
      const { id } = await newConta(db, 'starter')
      const [one, other] = [openNode(db, 'no-1'), openNode(beside, 'no-2')]
      for (let n = 0; n < 10; n++) await [one, other][n % 2]?.charge(id)
      assert.deepEqual(one.ways, { short: 5, early: 0, whole: 0 }, 'nobody waited')
      const { both } = await makeWait(
        third,
        id,
        () => other.charge(id),
        () => one.charge(id),
      )
      await both
      assert.deepEqual([one.ways, other.ways], Array(2).fill({ short: 6, early: 0, whole: 0 }))
      for (let n = 0; n < EARLY + 3; n++) await one.charge(id)
      await other.charge(id)
      assert.deepEqual(one.ways, { short: 9, early: EARLY, whole: 0 })
      assert.deepEqual(other.ways, { short: 7, early: 0, whole: 0 })
      assert.equal((await assertBooks(db, id)).cota, 1_000 - 10 - 2 - EARLY - 4)
    })

    test('the role of the manual may wait for the disk so; where that is refused, each charge is made once all the same', async (t) => {
      const admin = await openFor(t, await fresh(t))
      const place = await fresh(t, { schema: false })
      const url = new URL(place.databaseUrl ?? '')
      const owner = await openOwned(admin, url)
      const [db, beside, third] = [await openFor(t, owner), await openFor(t, owner), await openFor(t, place)]
      const conta = await newConta(db, 'starter')
      const ledger = openLedger(db, { no: 'no-1', now: () => NOW })
      const other = openNode(beside, 'no-2')
      const charge = () => ledger.charge({ conta, request_id: randomUUID(), endpoint: '', creditos: 1 })
      const wait = async () => (await makeWait(third, conta.id, () => other.charge(conta.id), charge)).both
      await wait()
      for (let n = 0; n < 3; n++) assert.equal((await charge()).charged, true)
      assert.deepEqual(ledger.ways, { short: 1, early: 3, whole: 0 })
      await sql`revoke execute on function pg_logical_emit_message(boolean, text, text, boolean) from public`.execute(
        third.kysely,
      )
      // Its charge was seen and perhaps not on the disk, so it was asked for again, the whole way.
      assert.deepEqual(await charge().then(({ ok, charged }) => [ok, charged]), [true, false])
      for (let n = 0; n < 3; n++) assert.equal((await charge()).charged, true)
      await wait()
      assert.equal((await charge()).charged, true)
      assert.deepEqual(ledger.ways, { short: 6, early: 3, whole: 1 })
      assert.equal((await assertBooks(third, conta.id)).cota, 1_000 - 12)
      await ledger.close()
    })
  },
  ['postgres'],
)
