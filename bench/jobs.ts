/**
 * Measures durable jobs a second on both databases, beside pg-boss on the same PostgreSQL: `node
 * bench/jobs.ts [rounds] [jobs] [one by one]`.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PgBoss } from 'pg-boss'
import { Type } from 'typebox'
import { type Db, openDb } from '../src/platform/db/db.ts'
import { type Jobs, openJobs } from '../src/platform/jobs/jobs.ts'
import { startRunner } from '../src/platform/jobs/runner.ts'
import { startPostgres } from '../test/kit/postgres.ts'
import { machineLine, median } from './machine.ts'

const [rounds = 3, count = 10_000, single = 500] = process.argv.slice(2).map(Number)
const BATCH = 50

const kind = {
  kind: 'bench',
  payload: Type.Object({ numero: Type.Integer() }),
  key: ({ numero }: { numero: number }) => String(numero),
  attempts: 3,
  backoffMs: 1_000,
  keptMs: 24 * 60 * 60_000,
}

/** One engine, behind the same five verbs as the other. */
type Engine = {
  name: string
  /** Inserts jobs: those of one call at once, and each call after the one before. */
  insert: (from: number, to: number) => Promise<void>
  /** Claims and finishes a batch of at most `size`. Gives how many jobs there were. */
  batch: (size: number) => Promise<number>
  /** Runs all waiting jobs with its own worker, in batches of `BATCH`. */
  work: (jobs: number) => Promise<void>
  close: () => Promise<void>
}

async function openOurs(name: string, db: Db): Promise<Engine> {
  const jobs = openJobs(db, { now: () => new Date() })
  return {
    name,
    insert: async (from, to) => {
      await Promise.all(range(from, to).map((numero) => jobs.enqueue(kind, { numero })))
    },
    batch: async (size) => {
      const claimed = (await jobs.claim(kind, { count: size, leaseMs: 60_000 })).jobs
      const done = { type: 'done', result: null, keptMs: kind.keptMs } as const
      await Promise.all(claimed.map((job) => jobs.finish(job, done)))
      return claimed.length
    },
    work: (total) => runAll(jobs, total),
    close: async () => {
      await jobs.close()
      await db.close()
    },
  }
}

async function runAll(jobs: Jobs, total: number): Promise<void> {
  const all = Promise.withResolvers<void>()
  let ended = 0
  const log = {
    info: () => {
      ended += 1
      if (ended === total) all.resolve()
    },
    warn: () => {},
    error: () => {},
  }
  const runner = startRunner({ jobs, kinds: [{ ...kind, atOnce: BATCH, run: async () => ({}) }], log })
  await all.promise
  await runner.stop()
}

async function openPgBoss(connectionString: string): Promise<Engine> {
  const boss = new PgBoss({ connectionString, supervise: false, schedule: false })
  await boss.start()
  await boss.createQueue('bench')
  return {
    name: 'pg-boss 12.35.0',
    insert: async (from, to) => {
      if (to - from === 1) await boss.send('bench', { numero: from })
      else
        await boss.insert(
          'bench',
          range(from, to).map((numero) => ({ data: { numero } })),
        )
    },
    batch: async (size) => {
      const jobs = await boss.fetch('bench', { batchSize: size })
      if (jobs.length > 0)
        await boss.complete(
          'bench',
          jobs.map(({ id }) => id),
        )
      return jobs.length
    },
    work: async (total) => {
      const all = Promise.withResolvers<void>()
      let ended = 0
      const options = { batchSize: BATCH, pollingIntervalSeconds: 0.5 }
      await boss.work('bench', options, async (jobs) => {
        ended += jobs.length
        if (ended === total) all.resolve()
      })
      await all.promise
      await boss.offWork('bench')
    },
    close: () => boss.stop({ graceful: false }),
  }
}

const range = (from: number, to: number): number[] => Array.from({ length: to - from }, (_, i) => from + i)

/** Jobs done in a second. */
async function rate(jobs: number, work: () => Promise<void>): Promise<number> {
  const started = performance.now()
  await work()
  return (jobs * 1_000) / (performance.now() - started)
}

async function drain(engine: Engine, size: number): Promise<void> {
  while ((await engine.batch(size)) > 0);
}

async function measure(engine: Engine) {
  return {
    'insert, all at once': await rate(count, () => engine.insert(0, count)),
    [`claim and finish, by ${BATCH}`]: await rate(count, () => drain(engine, BATCH)),
    'insert, one by one': await rate(single, async () => {
      for (const numero of range(0, single)) await engine.insert(numero, numero + 1)
    }),
    'claim and finish, one by one': await rate(single, () => drain(engine, 1)),
    [`insert and run by its own worker, ${BATCH} at once`]: await rate(single, async () => {
      await engine.insert(0, single)
      await engine.work(single)
    }),
  }
}

const folder = mkdtempSync(join(tmpdir(), 'consulta-fiscal-bench-'))
const postgres = await startPostgres()
const engines = [
  await openOurs('SQLite', await openDb({ arquivo: join(folder, 'banco.sqlite') })),
  await openOurs('PostgreSQL', await openDb({ arquivo: '', databaseUrl: await postgres.createDatabase() })),
  await openPgBoss(await postgres.createDatabase()),
]
console.log(`${machineLine()}; a second, medians of ${rounds} rounds; ${count} jobs, ${single} one by one`)
const results = engines.map((): Record<string, number>[] => [])
for (let round = 0; round < rounds; round++)
  for (const [index, engine] of engines.entries()) results[index]?.push(await measure(engine))
const rows = Object.keys(results[0]?.[0] ?? {}).map((what) => {
  const rates = results.map((all) => Math.round(median(all.map((one) => one[what] ?? 0))))
  const [, ours = 0, theirs = 1] = rates
  const named = Object.fromEntries(engines.map(({ name }, index) => [name, rates[index]]))
  return { what, ...named, 'PostgreSQL / pg-boss': (ours / theirs).toFixed(2) }
})
console.table(rows)
for (const engine of engines) await engine.close()
await postgres.stop()
rmSync(folder, { recursive: true, force: true })
