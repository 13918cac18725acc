import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { sql } from 'kysely'
import { Type } from 'typebox'
import type { Db } from '../../src/platform/db/db.ts'
import { JobsFull, openJobs } from '../../src/platform/jobs/jobs.ts'
import { backoffMs } from '../../src/platform/jobs/kind.ts'
import { openLedger } from '../../src/platform/ledger/ledger.ts'
import { newConta } from '../kit/account.ts'
import { NOW, pausa } from '../kit/basics.ts'
import { forEachDatabase, openFor, type Place } from '../kit/databases.ts'
import { contar, pass } from '../kit/jobs.ts'

const HOUR_MS = 60 * 60_000
const take = { count: 10, leaseMs: 60_000 }

forEachDatabase((dialect, fresh) => {
  async function node(t: TestContext, place: Place) {
    const db = await openFor(t, place)
    return { db, jobs: openJobs(db, { now: () => NOW }) }
  }
  async function pair(t: TestContext) {
    const place = await fresh(t)
    return [await node(t, place), await node(t, place)] as const
  }
  const count = async (db: Db): Promise<number> =>
    (await db.kysely.selectFrom('trabalhos').select('id').execute()).length

  test('a job is claimed by one of two nodes, and what it came to is known to both', async (t) => {
    const [one, other] = await pair(t)
    const { id, isNew } = await one.jobs.enqueue(contar, { numero: 7 })
    assert.ok(isNew)
    const claims = await Promise.all([one, other, one, other].map(({ jobs }) => jobs.claim(contar, take)))
    const claimed = claims.flatMap(({ jobs }) => jobs)
    assert.deepEqual(
      claimed.map(({ token, ...job }) => job),
      [{ id, conta: '', payload: { numero: 7 }, attempt: 1 }],
    )
    const [job] = claimed
    assert.ok(job && (await other.jobs.finish(job, { type: 'done', result: { soma: 28 }, keptMs: HOUR_MS })))
    for (const { jobs } of [one, other])
      assert.deepEqual(await jobs.waitFor(id, 0), { state: 'done', result: { soma: 28 } })
  })

  test('of 200 jobs that two nodes claim at once, each is claimed once, the oldest first', async (t) => {
    const nodes = await pair(t)
    const numbers = Array.from({ length: 200 }, (_, numero) => numero)
    await Promise.all(numbers.map((numero) => nodes[0].jobs.enqueue(contar, { numero })))
    const first = await nodes[0].jobs.claim(contar, { ...take, count: 20 })
    const claimed = [...first.jobs]
    for (let round = 0; round < 9; round++) {
      const claims = await Promise.all(nodes.map(({ jobs }) => jobs.claim(contar, take)))
      assert.deepEqual(
        claims.map(({ jobs }) => jobs.length),
        [10, 10],
      )
      claimed.push(...claims.flatMap(({ jobs }) => jobs))
    }
    assert.deepEqual(
      claimed.map(({ payload }) => payload.numero).sort((a, b) => a - b),
      numbers,
    )
    assert.deepEqual((await nodes[1].jobs.claim(contar, take)).jobs, [])
  })

  test('while a job is open its key makes no other, on any node; once it ended the key is free', async (t) => {
    const [one, other] = await pair(t)
    const taken = await Promise.all(
      Array.from({ length: 10 }, (_, i) => (i % 2 ? one : other).jobs.enqueue(contar, { numero: 1 })),
    )
    assert.equal(taken.filter(({ isNew }) => isNew).length, 1)
    assert.equal(new Set(taken.map(({ id }) => id)).size, 1, 'all are told of the same job')
    const [job] = (await one.jobs.claim(contar, take)).jobs
    assert.ok(job && !(await other.jobs.enqueue(contar, { numero: 1 })).isNew, 'also while it runs')
    await one.jobs.finish(job, { type: 'done', result: null, keptMs: HOUR_MS })
    assert.ok((await other.jobs.enqueue(contar, { numero: 1 })).isNew)
  })

  test('of 60 jobs asked for at once no more are open than may be, of an account and in all', async (t) => {
    const { jobs } = await node(t, await fresh(t))
    const most = { open: 12, own: 5 }
    const ask = (conta: string, numero: number) =>
      jobs.enqueue(contar, { numero }, { conta, most }).then(
        ({ isNew }) => (isNew ? 'new' : 'open'),
        (error: unknown) => (error instanceof JobsFull ? (error.isOwn ? 'own' : 'all') : String(error)),
      )
    const atOnce = (count: number, contaOf: (at: number) => string) =>
      Promise.all(Array.from({ length: count }, (_, at) => ask(contaOf(at), count + at)))
    const ofOne = await atOnce(20, () => 'a')
    assert.deepEqual(ofOne.sort(), [...Array(5).fill('new'), ...Array(15).fill('own')].sort())
    const told = await atOnce(40, (at) => ['a', 'b', 'c', 'd'][at % 4] ?? '')
    assert.equal(told.filter((one) => one === 'new').length, 7)
    const { jobs: claimed } = await jobs.claim(contar, { count: 100, leaseMs: 60_000 })
    for (const conta of ['a', 'b', 'c', 'd'])
      assert.ok(claimed.filter((one) => one.conta === conta).length <= 5)
    const [first] = claimed
    assert.ok(first)
    assert.equal(await ask('e', first.payload.numero), 'open', 'what is open already takes no place')
    assert.equal(await ask('e', 100), 'all')
    assert.ok((await jobs.enqueue(contar, { numero: 101 }, { conta: 'a' })).isNew, 'it has no bound')
  })

  test('a job for later is not claimed before its hour', async (t) => {
    const { db, jobs } = await node(t, await fresh(t))
    await jobs.enqueue(contar, { numero: 1 }, { runAt: new Date(NOW.getTime() + HOUR_MS) })
    await pass(db, HOUR_MS - 10_000)
    assert.deepEqual((await jobs.claim(contar, take)).jobs, [])
    await pass(db, 10_000)
    assert.equal((await jobs.claim(contar, take)).jobs.length, 1)
  })

  test('a job of a transaction that is rolled back was never asked for', async (t) => {
    const { db, jobs } = await node(t, await fresh(t))
    const asked = db.kysely.transaction().execute(async (on) => {
      assert.ok((await jobs.enqueue(contar, { numero: 1 }, { on })).isNew)
      throw new Error('changed its mind')
    })
    await assert.rejects(asked, /changed its mind/)
    assert.equal(await count(db), 0)
    await db.kysely.transaction().execute((on) => jobs.enqueue(contar, { numero: 1 }, { on }))
    assert.equal((await jobs.claim(contar, take)).jobs.length, 1)
  })

  test('a job that comes with a hold is asked for exactly if the credits are held', async (t) => {
    const { db, jobs } = await node(t, await fresh(t))
    const conta = await newConta(db, 'lite')
    const ledger = openLedger(db, { no: 'no-1', now: () => NOW })
    const hold = (numero: number, creditos: number, job = jobs.prepare(contar, { numero })) =>
      ledger.hold({ conta, request_id: `r-${numero}`, endpoint: '/api/teste', creditos, jobs: [job] })
    const one = jobs.prepare(contar, { numero: 1 })
    const outcomes = await Promise.all([hold(1, 60, one), hold(2, 60), hold(1, 60, one)])
    assert.deepEqual(
      outcomes.map(({ ok }) => ok),
      [true, false, true],
    )
    const [job, ...others] = (await jobs.claim(contar, take)).jobs
    assert.ok(job && others.length === 0)
    assert.deepEqual([job.id, job.payload], [one.id, { numero: 1 }])
    await jobs.finish(job, { type: 'done', result: null, keptMs: HOUR_MS })
    await hold(1, 60, one)
    assert.deepEqual((await jobs.claim(contar, take)).jobs, [], 'a repeated order asks for nothing again')
    await ledger.close()
  })

  test('a holder that gives no sign of life loses its job, and what it writes later is refused', async (t) => {
    const [slow, other] = await pair(t)
    await slow.jobs.enqueue(contar, { numero: 1 })
    const [lost] = (await slow.jobs.claim(contar, take)).jobs
    assert.ok(lost)
    await pass(slow.db, 40_000)
    assert.deepEqual([...(await slow.jobs.renew([lost], 60_000))], [lost.id])
    await pass(slow.db, 40_000)
    assert.deepEqual((await other.jobs.claim(contar, take)).jobs, [], 'it lives, as it said')
    await pass(slow.db, 20_000)
    const [job] = (await other.jobs.claim(contar, take)).jobs
    assert.ok(job?.attempt === 2)

    const done = { type: 'done', result: 'de quem perdeu', keptMs: HOUR_MS } as const
    const wrote: string[] = []
    assert.equal(await slow.jobs.finish(lost, done), false)
    assert.equal(await slow.jobs.finish(lost, done, async () => void wrote.push('perdido')), false)
    assert.equal((await slow.jobs.renew([lost], 60_000)).size, 0)
    assert.ok(
      await other.jobs.finish(job, { ...done, result: 'de quem tem' }, async () => void wrote.push('tem')),
    )
    assert.deepEqual(await slow.jobs.waitFor(job.id, 0), { state: 'done', result: 'de quem tem' })
    assert.deepEqual(wrote, ['tem'])
  })

  test('a process does not take from itself what it has in hand, whatever the clock says', async (t) => {
    const [one, other] = await pair(t)
    const { id } = await one.jobs.enqueue(contar, { numero: 1 })
    await one.jobs.claim(contar, take)
    await pass(one.db, 24 * HOUR_MS)
    assert.deepEqual((await one.jobs.claim(contar, { ...take, held: [id] })).jobs, [])
    assert.equal((await other.jobs.claim(contar, take)).jobs.length, 1)
  })

  test('a write that fails takes its job’s end back with it', async (t) => {
    const { jobs } = await node(t, await fresh(t))
    const { id } = await jobs.enqueue(contar, { numero: 1 })
    const [job] = (await jobs.claim(contar, take)).jobs
    assert.ok(job)
    const done = { type: 'done', result: null, keptMs: HOUR_MS } as const
    await assert.rejects(
      jobs.finish(job, done, () => Promise.reject(new Error('no room'))),
      /no room/,
    )
    assert.equal(await jobs.waitFor(id, 0), undefined)
    assert.ok(await jobs.finish(job, done))
  })

  test('a job that failed comes back after its pause, and says why it failed', async (t) => {
    const { db, jobs } = await node(t, await fresh(t))
    await jobs.enqueue(contar, { numero: 1 })
    const [job] = (await jobs.claim(contar, take)).jobs
    assert.ok(job)
    await jobs.finish(job, { type: 'again', reason: 'a fonte não respondeu', delayMs: 30_000 })
    assert.deepEqual((await jobs.claim(contar, take)).jobs, [])
    const row = await db.kysely.selectFrom('trabalhos').selectAll().executeTakeFirstOrThrow()
    assert.deepEqual([row.estado, row.motivo, row.dono], ['aberto', 'a fonte não respondeu', null])
    await pass(db, 30_000)
    assert.equal((await jobs.claim(contar, take)).jobs[0]?.attempt, 2)
  })

  test('a reason that PostgreSQL would not take as it stands still ends the run', async (t) => {
    const { db, jobs } = await node(t, await fresh(t))
    await jobs.enqueue(contar, { numero: 1 })
    const [job] = (await jobs.claim(contar, take)).jobs
    assert.ok(job)
    // The cut at 500 falls into the last character, which takes two places.
    const reason = `\0${'x'.repeat(499)}\u{1f4c4}`
    assert.ok(await jobs.finish(job, { type: 'again', reason, delayMs: HOUR_MS }))
    const { motivo } = await db.kysely.selectFrom('trabalhos').select('motivo').executeTakeFirstOrThrow()
    assert.equal(motivo, `${'x'.repeat(499)}\ufffd`)
  })

  test('a payload that is no JSON is buried, and the jobs that were claimed with it run', async (t) => {
    const { db, jobs } = await node(t, await fresh(t))
    const { id } = await jobs.enqueue(contar, { numero: 1 })
    await jobs.enqueue(contar, { numero: 2 })
    await db.kysely.updateTable('trabalhos').set({ dados: '{' }).where('id', '=', id).execute()
    const { jobs: claimed, buried } = await jobs.claim(contar, take)
    assert.deepEqual(
      claimed.map(({ payload }) => payload),
      [{ numero: 2 }],
    )
    assert.deepEqual(buried, [{ id, reason: 'os dados não são um JSON que se possa ler' }])
  })

  test('a sweep of many jobs lets other work go on between its batches', async (t) => {
    const { db, jobs } = await node(t, await fresh(t))
    const numbers = Array.from({ length: 450 }, (_, numero) => numero)
    await Promise.all(numbers.map((numero) => jobs.enqueue(contar, { numero })))
    const { jobs: claimed } = await jobs.claim(contar, { ...take, count: numbers.length })
    await Promise.all(claimed.map((job) => jobs.finish(job, { type: 'done', result: null, keptMs: 0 })))
    let [turns, swept] = [0, 0]
    const sweeping = jobs.sweep().then((rows) => {
      swept = rows
    })
    for (; swept === 0; turns++) await new Promise(setImmediate)
    await sweeping
    assert.equal(await count(db), 0)
    assert.deepEqual([swept, turns >= 4], [450, true])
  })

  if (dialect === 'postgres')
    test('two that ask for the same jobs in different order never wait for each other', async (t) => {
      const { db, jobs } = await node(t, await fresh(t))
      const waiting = async (): Promise<boolean> =>
        (await sql`select 1 from pg_locks where not granted`.execute(db.kysely)).rows.length > 0
      const asked = await db.kysely.transaction().execute(async (on) => {
        // Where the two wait for each other, this one fails.
        await sql`set local deadlock_timeout = '1ms'`.execute(on)
        await jobs.enqueue(contar, { numero: 1 }, { on })
        const others = [2, 1].map((numero) => jobs.enqueue(contar, { numero }))
        while (!(await waiting())) await pausa()
        await jobs.enqueue(contar, { numero: 2 }, { on })
        return others
      })
      assert.deepEqual(
        (await Promise.all(asked)).map(({ isNew }) => isNew),
        [false, false],
      )
    })

  test('a job that kills its process at each attempt is buried after the last, and says so', async (t) => {
    const [one, other] = await pair(t)
    const { id } = await one.jobs.enqueue(contar, { numero: 1 })
    for (let attempt = 1; attempt <= contar.attempts; attempt++) {
      const { jobs, buried } = await other.jobs.claim(contar, take)
      assert.deepEqual([jobs[0]?.attempt, buried], [attempt, []])
      await pass(one.db, take.leaseMs)
    }
    const reason = 'o processo que executava o trabalho parou na última tentativa'
    assert.deepEqual(await one.jobs.claim(contar, take), { jobs: [], buried: [{ id, reason }] })
    await pass(one.db, take.leaseMs)
    assert.deepEqual(await one.jobs.claim(contar, take), { jobs: [], buried: [] }, 'never again')
    assert.deepEqual(await other.jobs.waitFor(id, 0), { state: 'dead', reason })
    assert.ok((await one.jobs.enqueue(contar, { numero: 1 })).isNew, 'its key is free')
    const buriedRow = one.db.kysely.selectFrom('trabalhos').selectAll().where('id', '=', id)
    const { dono, tentativas, terminado_em } = await buriedRow.executeTakeFirstOrThrow()
    assert.deepEqual([dono, tentativas], [null, contar.attempts], 'nobody has it, and it did not begin again')
    assert.notEqual(terminado_em, null)
    await pass(one.db, 30 * 24 * HOUR_MS)
    assert.equal(await one.jobs.sweep(), 1, 'it is kept for 30 days, and the open one for ever')
  })

  test('a job that came back after its last attempt is buried, and says that no attempt is left', async (t) => {
    const { db, jobs } = await node(t, await fresh(t))
    const { id } = await jobs.enqueue(contar, { numero: 1 })
    for (let attempt = 1; attempt <= contar.attempts; attempt++) {
      const [job] = (await jobs.claim(contar, take)).jobs
      assert.ok(job && (await jobs.finish(job, { type: 'again', reason: 'falhou', delayMs: 0 })))
      await pass(db, 1)
    }
    const reason = 'as tentativas permitidas acabaram'
    assert.deepEqual(await jobs.claim(contar, take), { jobs: [], buried: [{ id, reason }] })
  })

  test('a payload of another version is buried with its reason, and the next job is claimed', async (t) => {
    const { jobs } = await node(t, await fresh(t))
    const older = { ...contar, payload: Type.Object({ quantos: Type.String() }), key: () => 'velho' }
    const { id } = await jobs.enqueue(older, { quantos: 'dez' })
    await jobs.enqueue(contar, { numero: 2 })
    const { jobs: claimed, buried } = await jobs.claim(contar, take)
    assert.deepEqual(
      claimed.map(({ payload }) => payload),
      [{ numero: 2 }],
    )
    assert.match(buried[0]?.reason ?? '', /forma que esta versão espera/)
    assert.equal((await jobs.waitFor(id, 0))?.state, 'dead')
  })

  test('a result is kept for as long as its kind says, a dead job for 30 days, an open one for ever', async (t) => {
    const { db, jobs } = await node(t, await fresh(t))
    for (const numero of [1, 2, 3]) await jobs.enqueue(contar, { numero })
    const [done, dead, open] = (await jobs.claim(contar, take)).jobs
    assert.ok(done && dead && open)
    await jobs.finish(done, { type: 'done', result: null, keptMs: HOUR_MS })
    await jobs.finish(dead, { type: 'dead', reason: 'recusado' })
    await pass(db, HOUR_MS - 10_000)
    assert.equal(await jobs.sweep(), 0)
    await pass(db, 10_000)
    assert.equal(await jobs.sweep(), 1)
    await pass(db, 30 * 24 * HOUR_MS)
    assert.equal(await jobs.sweep(), 1)
    await pass(db, 365 * 24 * HOUR_MS)
    assert.equal(await jobs.sweep(), 0)
    assert.equal((await jobs.claim(contar, take)).jobs[0]?.id, open.id)
  })

  test('what is larger than 256 KiB is refused when it is asked for, and kills the job as a result', async (t) => {
    const { jobs } = await node(t, await fresh(t))
    const large = { ...contar, kind: 'grande', payload: Type.String(), key: () => 'um' }
    await assert.rejects(jobs.enqueue(large, 'x'.repeat(256 * 1024)), RangeError)
    const { id } = await jobs.enqueue(large, 'x')
    const [job] = (await jobs.claim(large, take)).jobs
    assert.ok(job)
    await jobs.finish(job, { type: 'done', result: 'x'.repeat(256 * 1024), keptMs: HOUR_MS })
    assert.deepEqual(await jobs.waitFor(id, 0), { state: 'dead', reason: 'o resultado não cabe no banco' })
  })

  test('who waits for a job hears of its end, on its node at once and on another at its next look', async (t) => {
    const [one, other] = await pair(t)
    const { id } = await one.jobs.enqueue(contar, { numero: 1 })
    const [job] = (await one.jobs.claim(contar, take)).jobs
    assert.ok(job)
    const waiting = [one, other].map(({ jobs }) => jobs.waitFor(id, 60_000))
    await one.jobs.finish(job, { type: 'done', result: 1, keptMs: HOUR_MS })
    assert.deepEqual(await Promise.all(waiting), [
      { state: 'done', result: 1 },
      { state: 'done', result: 1 },
    ])
    assert.equal(await one.jobs.waitFor('nenhum', 0), undefined)
  })

  test('who leaves while it waits for a job is told why at once, and the job goes on', async (t) => {
    const { jobs } = await node(t, await fresh(t))
    const { id } = await jobs.enqueue(contar, { numero: 1 })
    const leaving = new AbortController()
    const waiting = jobs.waitFor(id, HOUR_MS, leaving.signal)
    leaving.abort(new Error('o cliente saiu'))
    await assert.rejects(waiting, /o cliente saiu/)
    assert.equal((await jobs.claim(contar, take)).jobs[0]?.id, id)
  })
})

test('the pause doubles with each attempt up to six hours, and is shorter by up to a half at random', () => {
  const longest = [1, 2, 3, 20].map((attempt) => backoffMs(1_000, attempt, () => 0))
  assert.deepEqual(longest, [1_000, 2_000, 4_000, 6 * HOUR_MS])
  assert.equal(
    backoffMs(1_000, 3, () => 1),
    2_000,
  )
})
