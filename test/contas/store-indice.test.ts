import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import fc from 'fast-check'
import { sql } from 'kysely'
import { findLast, findUso, findUsos, sumDesfechos, sumDias } from '../../src/contas/store-dias.ts'
import { openUsos } from '../../src/contas/store-usos.ts'
import type { Db } from '../../src/platform/db/db.ts'
import type { Query } from '../../src/platform/db/sqlite.ts'
import { NOW } from '../kit/basics.ts'
import { chamadaFeita } from '../kit/contas.ts'
import { forEachDatabase, openFor } from '../kit/databases.ts'

const HOUR_MS = 3_600_000
/** More than one turn of the event loop writes. */
const CALLS = 520
const CONTAS = ['conta-1', 'conta-2', 'conta-3']
const PERIODO = { de: '2026-11-10', ate: '2026-11-20' }
const log = { error: () => {} }

/** All that is read of the accounts, by each way that a page reads it. */
async function readAll(db: Db, contas = CONTAS): Promise<unknown> {
  const read = []
  for (const conta_id of contas) {
    const todas = { sentido: 'antigas', marco: undefined, linhas: 10_000, scan: 10_000 } as const
    const { usos } = await findUsos(db, conta_id, PERIODO, todas)
    const paginas = []
    for (let marco = undefined, at = 0; at === 0 || marco; at++) {
      const page = await findUsos(db, conta_id, PERIODO, {
        ...todas,
        marco,
        linhas: Math.ceil(usos.length / 3) || 1,
      })
      paginas.push(...page.usos)
      marco = page.next
    }
    assert.deepEqual(paginas, usos)
    const novas = await findUsos(db, conta_id, PERIODO, { ...todas, sentido: 'novas' })
    assert.deepEqual(novas.usos, usos)
    const falhas = await findUsos(db, conta_id, { ...PERIODO, desfecho: 'falhas' }, todas)
    assert.deepEqual(
      falhas.usos,
      usos.filter(({ http }) => http >= 400),
    )
    assert.equal(await findLast(db, conta_id), usos[0]?.criado_em)
    const one = usos[Math.floor(usos.length / 2)]
    if (one) assert.deepEqual(await findUso(db, conta_id, one.request_id), one)
    read.push([usos, await sumDias(db, conta_id, PERIODO), await sumDesfechos(db, conta_id, PERIODO)])
  }
  return read
}

/** The database of a process that dies after so many statements: it does not even roll back. */
function mortal(db: Db, statements: number): Db {
  let left = statements
  const dying =
    (query: Query): Query =>
    (statement, parameters) => {
      // What a process leaves open, the database rolls back.
      if (statement.sql === 'rollback' || statement.sql.startsWith('pragma'))
        return query(statement, parameters)
      left -= 1
      if (left < 0) throw new Error('killed')
      return query(statement, parameters)
    }
  return { ...db, exclusive: (work) => db.exclusive((query) => work(dying(query))) }
}

forEachDatabase((dialect, fresh) => {
  async function setup(t: TestContext) {
    const db = await openFor(t, await fresh(t))
    const clock = { now: NOW.getTime() }
    return { db, clock, open: (on: Db = db) => openUsos(on, { now: () => new Date(clock.now), log }) }
  }

  test('whatever was indexed when, the same is read before the rest is indexed and after', async (t) => {
    // A step: calls of an account, after so long, from a clock that may be set back.
    const step = fc.record({
      calls: fc.integer({ min: 1, max: 30 }),
      conta: fc.constantFrom(...CONTAS),
      elapsed: fc.integer({ min: -HOUR_MS, max: 12 * HOUR_MS }),
      again: fc.boolean(),
      indexed: fc.constantFrom('nothing', 'index', 'index late', 'both nodes'),
    })
    const history = fc.array(step, { minLength: 1, maxLength: 12 })
    await fc.assert(
      fc.asyncProperty(history, async (steps) => {
        const { db, clock, open } = await setup(t)
        const [usos, other] = [open(), open()]
        let at = 0
        let written = 0
        for (const { calls, conta, elapsed, again, indexed } of steps) {
          clock.now += elapsed
          for (let i = 0; i < calls; i++) {
            const call = chamadaFeita(conta, at++, clock.now)
            for (const one of again ? [usos, other] : [usos]) one.note(call)
          }
          written += calls
          await Promise.all([usos.flush(), other.flush()])
          if (indexed === 'index') await usos.index(0)
          if (indexed === 'index late') await usos.index(HOUR_MS)
          if (indexed === 'both nodes') await Promise.all([usos.index(0), other.index(0)])
        }
        const before = await readAll(db)
        clock.now += 48 * HOUR_MS
        await usos.close()
        await other.close()
        assert.deepEqual(await readAll(db), before)
        const sum = await db.kysely
          .selectFrom('usos_dia')
          .select(({ fn }) => fn.sum<number>('chamadas').as('all'))
          .executeTakeFirstOrThrow()
        assert.equal(Number(sum.all), written)
      }),
      { numRuns: dialect === 'postgres' ? 6 : 15 },
    )
  })

  if (dialect === 'postgres')
    test('a batch of sums reads its own calls, however many wait behind them', async (t) => {
      const { db, clock, open } = await setup(t)
      const usos = open()
      for (let at = 0; at < 3_000; at++) {
        clock.now += 10
        usos.note(chamadaFeita(CONTAS[at % CONTAS.length] ?? '', at, clock.now))
      }
      // The first one has been writing since the first rows came, and ends with those.
      for (const _ of [1, 2]) await usos.flush()
      await db.kysely.connection().execute(async (on) => {
        /** The index entries, and the rows of whole scans, that were read until now. */
        const entries = async (): Promise<number> => {
          await sql`select pg_stat_force_next_flush()`.execute(on)
          const { rows } = await sql<{ lidas: number }>`select (select sum(idx_tup_read)
              from pg_stat_user_indexes where indexrelname like 'usos\\_2%\\_pkey')
            + (select sum(seq_tup_read) from pg_stat_user_tables where relname like 'usos\\_2%') as lidas`.execute(
            on,
          )
          return Number(rows[0]?.lidas)
        }
        const sum = sql<{ linhas: number }>`select somar_usos(${clock.now}, 100) as linhas`
        let before = await entries()
        // From the sixth batch on PostgreSQL has a plan that serves any mark.
        for (let batch = 0; batch < 30; batch++) {
          assert.equal((await sum.execute(on)).rows[0]?.linhas, 100)
          const after = await entries()
          assert.ok(after - before >= 100 && after - before <= 300, `batch ${batch}: ${after - before}`)
          before = after
        }
        assert.equal((await sum.execute(on)).rows[0]?.linhas, 0)
      })
      const sums = await db.kysely.selectFrom('usos_dia').select('chamadas').execute()
      assert.equal(
        sums.reduce((all, { chamadas }) => all + Number(chamadas), 0),
        3_000,
      )
      await usos.close()
    })

  if (dialect === 'sqlite')
    test('an index that is killed at any step is read right at once, and comes to the same', async (t) => {
      const { db, clock, open } = await setup(t)
      let killed = true
      let kills = 0
      for (; killed; kills++) {
        const contas = CONTAS.map((name) => `${name}-${kills}`)
        const writer = open()
        for (let i = 0; i < CALLS; i++) {
          clock.now += 1_000
          writer.note(chamadaFeita(contas[i % contas.length] ?? '', i, clock.now))
          if (i % 100 === 0) await writer.flush()
        }
        await writer.flush()
        const before = await readAll(db, contas)
        killed = await open(mortal(db, kills))
          .index(0)
          .then(
            () => false,
            ({ message }: Error) => message === 'killed',
          )
        assert.deepEqual(await readAll(db, contas), before, `after ${kills} statements`)
        await open().index(0)
        assert.deepEqual(await readAll(db, contas), before, `after ${kills} statements and the rest`)
      }
      assert.ok(kills > 10)
      const { all } = await db.kysely
        .selectFrom('usos_dia')
        .select(({ fn }) => fn.sum<number>('chamadas').as('all'))
        .executeTakeFirstOrThrow()
      assert.equal(Number(all), kills * CALLS)
    })
})
