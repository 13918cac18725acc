import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import type { Db } from '../../src/platform/db/db.ts'
import { openJobs } from '../../src/platform/jobs/jobs.ts'
import { type Job, type JobCall, type JobDone, JobRefused } from '../../src/platform/jobs/kind.ts'
import { startRunner } from '../../src/platform/jobs/runner.ts'
import { newConta } from '../kit/account.ts'
import { NOW, pausa } from '../kit/basics.ts'
import { forEachDatabase, openFor, type Place } from '../kit/databases.ts'
import { contar, pass } from '../kit/jobs.ts'

type Work = (numero: number, call: JobCall) => Promise<JobDone>

forEachDatabase((dialect, fresh) => {
  /**
   * A node whose runner does `work` for each number. It looks by itself only once an hour; all other looks
   * are woken.
   */
  async function node(
    t: TestContext,
    place: Place,
    work: Work,
    {
      leaseMs = 60_000,
      pollMs = 3_600_000,
      atOnce = 4,
      first,
    }: { leaseMs?: number; pollMs?: number; atOnce?: number; first?: Db } = {},
  ) {
    const db = first ?? (await openFor(t, place))
    const jobs = openJobs(db, { now: () => NOW })
    const lines: Record<string, unknown>[] = []
    const note = (line: object): void => void lines.push({ ...line })
    const log = { info: note, warn: note, error: note }
    const job: Job<typeof contar.payload> = {
      ...contar,
      atOnce,
      run: ({ numero }, call) => work(numero, call),
    }
    const runner = startRunner({ jobs, kinds: [job], log, leaseMs, pollMs })
    t.after(() => runner.stop(0))
    return { db, jobs, lines, runner }
  }
  /**
   * The connection of a node beside another. An embedded database has one process, in which two connections
   * hold each other up for 5 s: `npm run test:longo` has them.
   */
  const beside = async (t: TestContext, place: Place, first: Db): Promise<Db> =>
    dialect === 'postgres' || process.env.LONGO ? openFor(t, place) : first
  const LONG = 60_000

  test('a job starts at once on the node that asked for it, leaves its result and one line in the log', async (t) => {
    const { jobs, lines } = await node(t, await fresh(t), async (numero) => ({ result: numero * 2 }))
    const { id } = await jobs.enqueue(contar, { numero: 21 })
    assert.deepEqual(await jobs.waitFor(id, LONG), { state: 'done', result: 42 })
    while (lines.length === 0) await pausa()
    assert.deepEqual(
      lines.map(({ ms, ...line }) => line),
      [{ job: 'contar', job_id: id, attempt: 1, outcome: 'done' }],
    )
  })

  test('a job that another node asked for is found at the next look', async (t) => {
    const place = await fresh(t)
    const { db } = await node(t, place, async (numero) => ({ result: numero }), { pollMs: 20 })
    const asking = openJobs(await beside(t, place, db), { now: () => NOW })
    const { id } = await asking.enqueue(contar, { numero: 1 })
    assert.deepEqual(await asking.waitFor(id, LONG), { state: 'done', result: 1 })
  })

  test('of 300 jobs on two nodes each runs once, never more at once than its kind says', async (t) => {
    const place = await fresh(t)
    const ran: number[] = []
    let [now, most] = [0, 0]
    const nodeOf = (first?: Db) =>
      node(
        t,
        place,
        async (numero) => {
          now += 1
          most = Math.max(most, now)
          await new Promise(setImmediate)
          ran.push(numero)
          now -= 1
          return {}
        },
        { pollMs: 20, ...(first && { first }) },
      )
    const { db, jobs } = await nodeOf()
    await nodeOf(await beside(t, place, db))
    const numbers = Array.from({ length: 300 }, (_, numero) => numero)
    const ids = await Promise.all(numbers.map(async (numero) => (await jobs.enqueue(contar, { numero })).id))
    for (const id of ids) assert.equal((await jobs.waitFor(id, LONG))?.state, 'done')
    assert.deepEqual(
      ran.sort((a, b) => a - b),
      numbers,
    )
    assert.ok(most <= 8, `${most} ran at once on two nodes of four`)
  })

  test('a failure is tried again after its pause, up to the last attempt, and then dead with its reason', async (t) => {
    const attempts: number[] = []
    const { db, jobs, lines } = await node(t, await fresh(t), async (_numero, { attempt }) => {
      attempts.push(attempt)
      throw new Error(`a fonte falhou pela ${attempt}ª vez`)
    })
    const { id } = await jobs.enqueue(contar, { numero: 1 })
    for (let attempt = 1; attempt < contar.attempts; attempt++) {
      while (lines.length < attempt) await pausa()
      await pass(db, 3_600_000)
      jobs.wake('contar')
    }
    assert.deepEqual(await jobs.waitFor(id, LONG), { state: 'dead', reason: 'a fonte falhou pela 3ª vez' })
    assert.deepEqual(attempts, [1, 2, 3])
  })

  test('a job that is refused is dead at its first attempt', async (t) => {
    const { jobs } = await node(t, await fresh(t), async () => {
      throw new JobRefused('o documento não existe')
    })
    const { id } = await jobs.enqueue(contar, { numero: 1 })
    assert.deepEqual(await jobs.waitFor(id, LONG), { state: 'dead', reason: 'o documento não existe' })
  })

  test('what a job writes stands exactly if the job is done', async (t) => {
    const place = await fresh(t)
    const { db, jobs } = await node(t, place, async (numero) => ({
      write: async (on) => {
        await on
          .insertInto('nos')
          .values({ id: `n-${numero}`, batimento: numero })
          .execute()
        if (numero === 2) throw new Error('a gravação falhou')
      },
    }))
    const { id } = await jobs.enqueue(contar, { numero: 1 })
    assert.equal((await jobs.waitFor(id, LONG))?.state, 'done')
    const { id: failing } = await jobs.enqueue(contar, { numero: 2 })
    const motivoOf = async () =>
      (await db.kysely.selectFrom('trabalhos').select('motivo').where('id', '=', failing).executeTakeFirst())
        ?.motivo
    while ((await motivoOf()) === null) await pausa()
    assert.equal(await motivoOf(), 'a gravação falhou')
    const rows = await db.kysely.selectFrom('nos').select('id').execute()
    assert.deepEqual(
      rows.map(({ id }) => id),
      ['n-1'],
    )
    assert.ok(await newConta(db), 'the connection is in order')
  })

  test('a run that lost its lease is told so, writes nothing and is told of as lost', async (t) => {
    const place = await fresh(t)
    const started = Promise.withResolvers<AbortSignal>()
    const { db, jobs, lines } = await node(
      t,
      place,
      (_numero, { signal }) => {
        started.resolve(signal)
        return new Promise((resolve) => signal.addEventListener('abort', () => resolve({ result: 'tarde' })))
      },
      { leaseMs: 300 },
    )
    const { id } = await jobs.enqueue(contar, { numero: 1 })
    const signal = await started.promise
    const other = openJobs(await openFor(t, place), { now: () => NOW })
    // The common clock moves on by more than a lease between two signs of life.
    let taken = (await other.claim(contar, { count: 1, leaseMs: LONG })).jobs[0]
    while (!taken) {
      await pass(db, 300)
      taken = (await other.claim(contar, { count: 1, leaseMs: LONG })).jobs[0]
    }
    assert.equal(taken.id, id)
    while (lines.length === 0) await pausa()
    assert.deepEqual([signal.aborted, lines[0]?.outcome], [true, 'lost'])
    await other.finish(taken, { type: 'done', result: 'do outro', keptMs: LONG })
    assert.deepEqual(await jobs.waitFor(id, LONG), { state: 'done', result: 'do outro' })
  })

  if (dialect === 'postgres')
    test('a job whose last write takes long does not cost the other jobs their lease', {
      timeout: 30_000,
    }, async (t) => {
      const place = await fresh(t)
      const gate = Promise.withResolvers<void>()
      const writing = Promise.withResolvers<void>()
      const write = (): Promise<void> => {
        writing.resolve()
        return gate.promise
      }
      const { db, jobs } = await node(
        t,
        place,
        async (numero) => (numero === 1 ? { write } : new Promise(() => {})),
        { leaseMs: 300 },
      )
      t.after(() => gate.resolve())
      await jobs.enqueue(contar, { numero: 1 })
      const { id } = await jobs.enqueue(contar, { numero: 2 })
      await writing.promise
      const leaseOf = async (): Promise<number> => {
        const row = db.kysely.selectFrom('trabalhos').select(['livre_em', 'dono']).where('id', '=', id)
        const { livre_em, dono } = await row.executeTakeFirstOrThrow()
        return dono === null ? 0 : livre_em
      }
      const ends = new Set<number>()
      while (ends.size < 4) ends.add(await leaseOf())
      gate.resolve()
    })

  test('a stop waits for what runs, and gives back what does not end in time, without counting it', async (t) => {
    const place = await fresh(t)
    const gate = Promise.withResolvers<void>()
    const started = Promise.withResolvers<void>()
    const { db, jobs, runner } = await node(t, place, async (numero) => {
      if (numero === 1) started.resolve()
      await (numero === 1 ? gate.promise : new Promise(() => {}))
      return { result: numero }
    })
    const [{ id: quick }, { id: endless }] = [
      await jobs.enqueue(contar, { numero: 1 }),
      await jobs.enqueue(contar, { numero: 2 }),
    ]
    const running = () =>
      db.kysely.selectFrom('trabalhos').select('id').where('dono', 'is not', null).execute()
    while ((await running()).length < 2) await pausa()
    await started.promise
    const stopping = runner.stop(500)
    gate.resolve()
    await stopping
    assert.equal((await jobs.waitFor(quick, 0))?.state, 'done')
    await jobs.enqueue(contar, { numero: 3 })
    const { jobs: left } = await openJobs(db, { now: () => NOW }).claim(contar, { count: 5, leaseMs: LONG })
    assert.deepEqual(
      left.map(({ payload, attempt }) => [payload.numero, attempt]).sort(),
      [
        [2, 1],
        [3, 1],
      ],
      'the node that stopped took nothing more',
    )
    assert.equal(left.find(({ payload }) => payload.numero === 2)?.id, endless)
  })
})
