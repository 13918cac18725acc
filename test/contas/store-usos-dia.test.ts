import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { sql } from 'kysely'
import { sumDias } from '../../src/contas/store-dias.ts'
import { insertUsos, openUsos, type Usos } from '../../src/contas/store-usos.ts'
import { NOW } from '../kit/basics.ts'
import { assertSomas, chamadaFeita, countUsos, readSomas } from '../kit/contas.ts'
import { forEachDatabase, openFor } from '../kit/databases.ts'

const DAY_MS = 86_400_000
const log = { error: () => {} }

/** Writes what waits, and sums it. */
async function settle(usos: Usos): Promise<void> {
  await usos.flush()
  await usos.index(0)
}

forEachDatabase((dialect, fresh) => {
  async function setup(t: TestContext) {
    const db = await openFor(t, await fresh(t))
    const clock = { now: NOW }
    return { db, clock, usos: openUsos(db, { now: () => clock.now, log }) }
  }

  test('the sums of the days are those of the calls, of several accounts and endpoints', async (t) => {
    const { db, clock, usos } = await setup(t)
    for (let at = 0; at < 700; at++) {
      clock.now = new Date(NOW.getTime() + at * 600_000)
      usos.note(chamadaFeita(`conta-${at % 3}`, at, clock.now.getTime()))
    }
    await usos.close()
    await assertSomas(db, 30)
  })

  test('a call that is written again, alone or among new ones, counts once', async (t) => {
    const { db, usos } = await setup(t)
    const calls = Array.from({ length: 25 }, (_, at) => chamadaFeita('conta-1', at, NOW.getTime()))
    for (const some of [calls.slice(0, 11), calls.slice(5, 20), calls, calls]) {
      for (const one of some) usos.note(one)
      await settle(usos)
    }
    await assertSomas(db)
    const [day] = await sumDias(db, 'conta-1', {
      de: '2026-11-14',
      ate: '2026-11-14',
      endpoint: calls[0]?.endpoint,
    })
    assert.equal(day?.chamadas, calls.filter(({ endpoint }) => endpoint === calls[0]?.endpoint).length)
  })

  test('two nodes that write the same day at once lose none of it', async (t) => {
    const { db, usos } = await setup(t)
    const other = openUsos(db, { now: () => NOW, log })
    for (let round = 0; round < 6; round++) {
      for (const [node, one] of [usos, other].entries())
        for (let at = 0; at < 40; at++)
          one.note(chamadaFeita('conta-1', (round * 2 + node) * 40 + at, NOW.getTime()))
      await Promise.all([settle(usos), settle(other)])
    }
    await usos.index(0)
    const [day] = await db.kysely
      .selectFrom('usos_dia')
      .select(({ fn }) => fn.sum<number>('chamadas').as('all'))
      .execute()
    assert.equal(Number(day?.all), 480)
    await assertSomas(db)
  })

  test('a day begins at midnight in Brasília', async (t) => {
    const { db, clock, usos } = await setup(t)
    for (const instant of ['2026-11-15T02:59:59.999Z', '2026-11-15T03:00:00Z', '2026-12-01T02:59:59Z']) {
      clock.now = new Date(instant)
      usos.note(chamadaFeita('conta-1', 0, clock.now.getTime()))
    }
    await usos.close()
    const days = await sumDias(db, 'conta-1', { de: '2026-11-01', ate: '2026-12-31' })
    assert.deepEqual(
      days.map(({ dia, chamadas }) => [dia, chamadas]),
      [
        ['2026-11-14', 1],
        ['2026-11-15', 1],
        ['2026-11-30', 1],
      ],
    )
    await assertSomas(db)
  })

  test('the sums outlive the calls, and are kept for 13 months', async (t) => {
    const { db, clock, usos } = await setup(t)
    usos.note(chamadaFeita('conta-1', 0, NOW.getTime()))
    await settle(usos)
    for (const [days, left] of [
      [200, 1],
      [397, 1],
      [399, 0],
    ] as const) {
      clock.now = new Date(NOW.getTime() + days * DAY_MS)
      await usos.sweep()
      assert.equal((await readSomas(db)).length, left, `${days}`)
    }
  })

  test('the last calls of an account are written for it, and nothing where it has none', async (t) => {
    const { db, usos } = await setup(t)
    usos.note(chamadaFeita('conta-1', 0, NOW.getTime()))
    await usos.flushOf('conta-2')
    assert.equal((await readSomas(db)).length, 0)
    // A write that is under way does not have the call that came after its beginning.
    const under = usos.flush()
    usos.note(chamadaFeita('conta-1', 1, NOW.getTime()))
    await usos.flushOf('conta-1')
    await under
    assert.equal((await countUsos(db)).length > 0, true)
    const [row] = await db.kysely
      .selectFrom('usos')
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .execute()
    assert.equal(Number(row?.count), 2)
  })

  test('a call that a node writes late, or one of the version before, enters the sums with its row', async (t) => {
    const { db, clock, usos } = await setup(t)
    const rowOf = (at: number, criado_em: number) =>
      ({
        ...{ criado_em, request_id: `velha-${at}`, conta_id: 'conta-1', endpoint: '/api/consultar-cnpj' },
        ...{ documento: '', uf: '', http: 200, error_code: '', creditos: 1, cached: 0 as const, ms: 4 },
        ...{ fontes_falhas: 0, fonte_code: '' },
      }) as const
    usos.note(chamadaFeita('conta-1', 0, NOW.getTime()))
    await settle(usos)
    await insertUsos(db, [rowOf(1, NOW.getTime() - 5_000), rowOf(2, NOW.getTime() - 1)])
    await assertSomas(db)
    // After the mark it waits, for this node or for another.
    await insertUsos(db, [rowOf(3, NOW.getTime() + 1), rowOf(1, NOW.getTime() - 5_000)])
    const before = await readSomas(db)
    clock.now = new Date(NOW.getTime() + 10_002)
    await usos.index()
    assert.notDeepEqual(before, await readSomas(db))
    await assertSomas(db)
  })

  if (dialect === 'postgres')
    test('calls of two months in one statement count in both partitions', async (t) => {
      const { db, clock, usos } = await setup(t)
      for (let at = 0; at < 30; at++) {
        clock.now = new Date(Date.parse('2026-11-25T15:00:00Z') + (at % 2) * 10 * DAY_MS)
        usos.note(chamadaFeita('conta-1', at, clock.now.getTime()))
      }
      await usos.close()
      await assertSomas(db, 2)
      const partitions = await sql<{ count: number }>`
        select count(distinct tableoid) as count from usos`.execute(db.kysely)
      assert.equal(Number(partitions.rows[0]?.count), 2)
    })
})
