import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { sql } from 'kysely'
import { openUsos } from '../../src/contas/store-usos.ts'
import type { Db } from '../../src/platform/db/db.ts'
import type { Outcome } from '../../src/platform/http/outcome.ts'
import { NOW } from '../kit/basics.ts'
import { forEachDatabase, openFor } from '../kit/databases.ts'

const DAY_MS = 86_400_000

let calls = 0

/** An answered call of an account. */
const call = (rest: Partial<Outcome> = {}): Outcome => ({
  request_id: `chamada-${++calls}`,
  conta: 'conta-1',
  method: 'GET',
  endpoint: '/api/consultar-cnpj',
  document: '00.***.***/0001-91',
  sent: { cnpj: '00.***.***/0001-91' },
  uf: '',
  http: 200,
  error_code: '',
  creditos: 1,
  cached: false,
  source_failures: 0,
  source_code: '',
  ms: 3.4,
  ...rest,
})

const countOf = async (db: Db): Promise<number> => {
  const [row] = await db.kysely
    .selectFrom('usos')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .execute()
  return Number(row?.count)
}

/** The partitions of the table, on PostgreSQL. */
const partitionsOf = async (db: Db): Promise<string[]> => {
  const { rows } = await sql<{ nome: string }>`
    select inhrelid::regclass::text as nome from pg_inherits where inhparent = 'usos'::regclass order by 1`.execute(
    db.kysely,
  )
  return rows.map(({ nome }) => nome)
}

forEachDatabase((dialect, fresh) => {
  async function setup(t: TestContext) {
    const db = await openFor(t, await fresh(t))
    const clock = { now: NOW }
    const errors: object[] = []
    const log = { error: (fields: object) => void errors.push(fields) }
    return { db, clock, errors, usos: openUsos(db, { now: () => clock.now, log }) }
  }

  test('a call is kept as it ended, its document masked', async (t) => {
    const { db, usos } = await setup(t)
    const failed = { source_failures: 2, source_code: 'SITE_INDISPONIVEL' } as const
    usos.note(call({ request_id: 'a', uf: 'SP', cached: true, ...failed }))
    usos.note(call({ request_id: 'b', document: '', http: 402, error_code: 'LIMITE_PLANO', creditos: 0 }))
    await usos.close()
    const rows = await db.kysely.selectFrom('usos').selectAll().orderBy('request_id').execute()
    const alike = { conta_id: 'conta-1', criado_em: NOW.getTime(), endpoint: '/api/consultar-cnpj', ms: 3 }
    assert.deepEqual(
      rows.map((row) => ({ ...row })),
      [
        {
          ...alike,
          request_id: 'a',
          documento: '00.***.***/0001-91',
          uf: 'SP',
          http: 200,
          error_code: '',
          creditos: 1,
          cached: 1,
          fontes_falhas: 2,
          fonte_code: 'SITE_INDISPONIVEL',
        },
        {
          ...alike,
          request_id: 'b',
          documento: '',
          uf: '',
          http: 402,
          error_code: 'LIMITE_PLANO',
          creditos: 0,
          cached: 0,
          fontes_falhas: 0,
          fonte_code: '',
        },
      ],
    )
  })

  test('a stranger and a call that the rate limit turned away leave no row', async (t) => {
    const { db, usos } = await setup(t)
    usos.note(call({ conta: undefined, http: 401 }))
    usos.note(call({ http: 429 }))
    await usos.close()
    assert.equal(await countOf(db), 0)
  })

  test('what the database does not take is kept up to a bound, and the rest is counted and told', async (t) => {
    const { db, usos, errors } = await setup(t)
    await sql`alter table usos rename to usos_fora`.execute(db.kysely)
    for (let i = 0; i < 10_007; i++) usos.note(call())
    await assert.rejects(usos.flush(), /no such table: usos|relation "usos" does not exist/)
    assert.equal(usos.dropped(), 7)
    await sql`alter table usos_fora rename to usos`.execute(db.kysely)
    await usos.flush()
    assert.equal(await countOf(db), 10_000)
    assert.deepEqual(errors, [{ dropped: 7 }])
    usos.note(call())
    await usos.close()
    assert.equal(await countOf(db), 10_001)
  })

  test('a flush ends also while calls keep coming', async (t) => {
    const { db, usos } = await setup(t)
    const note = (): void => usos.note(call())
    note()
    await usos.flush()
    note()
    let [noted, ended] = [2, false]
    const flushing = usos.flush().then(() => {
      ended = true
    })
    for (; !ended && noted < 9_000; noted++) {
      note()
      await new Promise(setImmediate)
    }
    assert.ok(ended, 'it wrote what waited when it began')
    await flushing
    await usos.close()
    assert.equal(await countOf(db), noted)
  })

  test('a call that is written twice stands once', async (t) => {
    const { db, usos } = await setup(t)
    const again = call()
    for (const _ of [1, 2]) {
      usos.note(again)
      await usos.flush()
    }
    assert.equal(await countOf(db), 1)
  })

  test('calls are kept for 90 days', async (t) => {
    const { db, usos, clock } = await setup(t)
    for (let i = 0; i < 1_500; i++) usos.note(call())
    await usos.flush()
    clock.now = new Date(NOW.getTime() + 30 * DAY_MS)
    usos.note(call({ request_id: 'later' }))
    await usos.flush()
    clock.now = new Date(NOW.getTime() + 90 * DAY_MS)
    await usos.sweep()
    assert.equal(await countOf(db), 1_501)
    // On PostgreSQL a month leaves as a whole, when its last day is 90 days old.
    clock.now = new Date(NOW.getTime() + (dialect === 'postgres' ? 107 : 91) * DAY_MS)
    assert.equal(await usos.sweep(), dialect === 'postgres' ? 1 : 1_500)
    const left = await db.kysely.selectFrom('usos').select('request_id').execute()
    assert.deepEqual(
      left.map(({ request_id }) => request_id),
      ['later'],
    )
  })

  if (dialect === 'postgres') {
    test('a month has its partition a month ahead, also where two nodes begin it at once', async (t) => {
      const { db, usos, clock } = await setup(t)
      const other = openUsos(db, { now: () => clock.now, log: { error: () => {} } })
      for (const node of [usos, other]) node.note(call())
      await Promise.all([usos.flush(), other.flush()])
      assert.deepEqual(await partitionsOf(db), ['usos_2026_11', 'usos_2026_12'])
      // A second into December, in Brasília time.
      clock.now = new Date('2026-12-01T03:00:01Z')
      usos.note(call())
      await usos.flush()
      assert.deepEqual(await partitionsOf(db), ['usos_2026_11', 'usos_2026_12', 'usos_2027_01'])
      const december = await sql<{ count: string }>`select count(*) from usos_2026_12`.execute(db.kysely)
      assert.equal(Number(december.rows[0]?.count), 1)
    })

    test('a partition that somebody dropped is made again', async (t) => {
      const { db, usos, errors } = await setup(t)
      usos.note(call())
      await usos.flush()
      await sql`drop table usos_2026_11`.execute(db.kysely)
      usos.note(call())
      await assert.rejects(usos.flush(), /partition/)
      await usos.flush()
      assert.equal(await countOf(db), 1)
      assert.deepEqual(errors, [])
    })
  }
})
