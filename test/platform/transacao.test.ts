import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type CompiledQuery, sql } from 'kysely'
import { countKeys, issueKey, revealKey } from '../../src/contas/store-chaves.ts'
import type { Db } from '../../src/platform/db/db.ts'
import { DatabaseAway, isConnectionLost, withPatience } from '../../src/platform/db/outage.ts'
import { transact } from '../../src/platform/db/queries.ts'
import { openLedger } from '../../src/platform/ledger/ledger.ts'
import { newConta } from '../kit/account.ts'
import { NOW } from '../kit/basics.ts'
import { assertBooks, forEachDatabase, openFor } from '../kit/databases.ts'

const SECRET = 'um segredo de teste bastante comprido'

forEachDatabase((dialect, fresh) => {
  if (dialect === 'sqlite') return

  const compile = <R>(db: Db, words: string): CompiledQuery<R> => sql.raw<R>(words).compile(db.kysely)

  for (const code of ['40001', '40P01'])
    test(`a transaction that PostgreSQL gives up with ${code} is tried again, and charges once`, async (t) => {
      const db = await openFor(t, await fresh(t))
      const conta = await newConta(db, 'lite')
      // A sequence counts the tries, because it is not rolled back.
      await sql`create sequence tentativas`.execute(db.kysely)
      const give = `create function desistir() returns trigger language plpgsql as $$ begin
        if nextval('tentativas') <= 2 then raise exception 'given up' using errcode = '${code}'; end if;
        return new; end $$`
      await sql.raw(give).execute(db.kysely)
      await sql`create trigger desistir before insert on lancamentos
        for each row when (new.tipo = 'charge') execute function desistir()`.execute(db.kysely)
      const ledger = openLedger(db, { no: 'no-1', now: () => NOW })
      const charged = await ledger.charge({ conta, request_id: 'a', endpoint: '', creditos: 3 })
      assert.equal(charged.ok, true)
      assert.deepEqual(await assertBooks(db, conta.id), { cota: 97, extra: 0 })
      const { rows } = await sql<{ n: number }>`select last_value as n from tentativas`.execute(db.kysely)
      assert.equal(rows[0]?.n, 3)
      // Who is given up for ever is told so, after a few tries.
      await sql`alter sequence tentativas increment by -1`.execute(db.kysely)
      await sql`select setval('tentativas', 1)`.execute(db.kysely)
      await sql`alter sequence tentativas minvalue -1000`.execute(db.kysely)
      await assert.rejects(ledger.charge({ conta, request_id: 'b', endpoint: '', creditos: 3 }), { code })
      assert.deepEqual(await assertBooks(db, conta.id), { cota: 97, extra: 0 })
    })

  test('a process that says nothing inside a transaction of the ledger loses it, as a broken connection', async (t) => {
    const place = await fresh(t)
    const db = await openFor(t, place)
    const show = compile<Record<string, string>>(db, 'show idle_in_transaction_session_timeout')
    const [standard] = await db.exclusive((query) => query(show, []))
    assert.deepEqual(standard, { idle_in_transaction_session_timeout: '5s' })
    const { rows } = await sql`show idle_in_transaction_session_timeout`.execute(db.kysely)
    assert.deepEqual(rows[0], { idle_in_transaction_session_timeout: '1min' })
    const other = await openFor(t, place)
    const conta = await newConta(db, 'lite')
    const lost = await db
      .exclusive(async (query) => {
        await query(compile(db, 'set idle_in_transaction_session_timeout = 20'), [])
        await query(compile(db, 'begin'), [])
        await query(compile(db, 'select 1 from saldos for update'), [])
        // Waits for the row until PostgreSQL has freed it.
        await sql`update saldos set extra = 7 where conta_id = ${conta.id}`.execute(other.kysely)
        return query(compile(db, 'commit'), [])
      })
      .catch((error: unknown) => error)
    assert.ok(isConnectionLost(lost), String(lost))
    // The next one finds a new connection.
    const ledger = openLedger(db, { no: 'no-1', now: () => NOW })
    assert.equal((await ledger.charge({ conta, request_id: 'a', endpoint: '', creditos: 1 })).ok, true)
  })

  test('the server gives up what nobody waits for any more; a sweep has longer', async (t) => {
    const db = await openFor(t, await fresh(t))
    const shown = async () =>
      (await sql<{ statement_timeout: string }>`show statement_timeout`.execute(db.kysely)).rows[0]
    assert.deepEqual(await shown(), { statement_timeout: '10s' })
    assert.deepEqual(await withPatience(shown), { statement_timeout: '10min' })
    assert.deepEqual(await shown(), { statement_timeout: '10s' })
    const cancelled = await db.kysely
      .transaction()
      .execute(async (trx) => {
        await sql`set local statement_timeout = 10`.execute(trx)
        await sql`select pg_sleep(60)`.execute(trx)
      })
      .catch((error: unknown) => error)
    assert.ok(cancelled instanceof DatabaseAway && !cancelled.lost, String(cancelled))
  })
})

forEachDatabase(
  (_, fresh) => {
    for (const code of ['40001', '40P01'])
      test(`a key is issued and an account made though PostgreSQL gives up with ${code}, and once each`, async (t) => {
        const db = await openFor(t, await fresh(t))
        const conta = await newConta(db, 'lite')
        await sql`create sequence tentativas`.execute(db.kysely)
        const give = `create function desistir() returns trigger language plpgsql as $$ begin
          if nextval('tentativas') % 3 <> 0 then raise exception 'given up' using errcode = '${code}'; end if;
          return new; end $$`
        await sql.raw(give).execute(db.kysely)
        for (const table of ['chaves', 'saldos'])
          await sql`create trigger desistir before insert on ${sql.table(table)}
            for each row execute function desistir()`.execute(db.kysely)
        const key = await issueKey(db, SECRET, conta.id, { now: NOW })
        assert.equal(await revealKey(db, SECRET, conta.id), key)
        assert.equal((await countKeys(db, conta.id)).total, 1)
        await assertBooks(db, (await newConta(db, 'pro')).id)
        const { rows } = await sql<{ n: number }>`select last_value as n from tentativas`.execute(db.kysely)
        assert.equal(rows[0]?.n, 6, 'three tries each')
      })

    test('a transaction that is given up for ever is told so after four tries, and another failure at once', async (t) => {
      const db = await openFor(t, await fresh(t))
      for (const [code, tries] of [
        ['40P01', 4],
        ['23514', 1],
      ] as const) {
        let tried = 0
        const work = transact(db, async (trx) => {
          tried += 1
          await sql.raw(`do $$ begin raise exception 'no' using errcode = '${code}'; end $$`).execute(trx)
        })
        await assert.rejects(work, { code })
        assert.equal(tried, tries)
      }
    })
  },
  ['postgres'],
)
