/**
 * CPU of this process, and of PostgreSQL, for the outcome of one request: usage on both databases, written
 * and indexed, and metrics. `node bench/outcome.ts [rounds] [accounts]`
 */
import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import type { Db } from '../src/platform/db/db.ts'
import type { Outcome, OutcomeSink } from '../src/platform/http/outcome.ts'
import { startPostgres } from '../test/kit/postgres.ts'
import { openDatabaseCpu } from './database.ts'
import { report } from './figures.ts'
import { machineLine, median } from './machine.ts'
import { fromTree } from './tree.ts'

const { openUsos } = await fromTree<typeof import('../src/contas/store-usos.ts')>('src/contas/store-usos.ts')
const { openDb } = await fromTree<typeof import('../src/platform/db/db.ts')>('src/platform/db/db.ts')
const { newRequestId } =
  await fromTree<typeof import('../src/platform/jobs/kind.ts')>('src/platform/jobs/kind.ts')
const { openMetrics } = await fromTree<typeof import('../src/platform/metrics.ts')>('src/platform/metrics.ts')

const OUTCOMES = 20_000
const GROUP = 1_000
const [rounds = 9, accounts = 1_000] = process.argv.slice(2).map(Number)
const now = () => new Date()
const contas = Array.from({ length: accounts }, () => randomUUID())

const outcomeOf = (i: number): Outcome => ({
  request_id: newRequestId(now()),
  conta: contas[i % contas.length],
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
})

/** A tree before usage was indexed late has no `index`. */
type Sink = { note: OutcomeSink; flush: () => Promise<void>; index?: (lateMs: number) => Promise<void> }

/** Microseconds of CPU an outcome: of this process, and of PostgreSQL. */
async function measure({ note, flush, index }: Sink): Promise<{ own: number; database: number }> {
  const before = databaseCpu()
  const cpu = process.cpuUsage()
  for (let i = 0; i < OUTCOMES; i++) {
    note(outcomeOf(i))
    if (i % GROUP === GROUP - 1) await flush()
  }
  await index?.(0)
  const { user, system } = process.cpuUsage(cpu)
  return { own: (user + system) / OUTCOMES, database: ((databaseCpu() - before) * 1000) / OUTCOMES }
}

/** What a row of usage takes of the disk. */
async function bytesOf(db: Db): Promise<number> {
  const size =
    db.dialect === 'postgres'
      ? sql<{ bytes: number }>`select cast(sum(pg_total_relation_size(inhrelid)) as bigint) as bytes
          from pg_inherits where inhparent = 'usos'::regclass`
      : sql<{
          bytes: number
        }>`select page_count * page_size as bytes from pragma_page_count(), pragma_page_size()`
  const [taken] = (await size.execute(db.kysely)).rows
  const { count } = await db.kysely
    .selectFrom('usos')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return (taken?.bytes ?? 0) / Number(count)
}

const folder = mkdtempSync(join(tmpdir(), 'consulta-fiscal-bench-'))
const postgres = await startPostgres()
const sqlite = await openDb({ arquivo: join(folder, 'banco.sqlite') })
const databaseUrl = await postgres.createDatabase()
const shared = await openDb({ arquivo: '', databaseUrl })
const databaseCpu = await openDatabaseCpu(databaseUrl)
const log = { error: (fields: object) => console.error(fields) }
const usos = [sqlite, shared].map((db) => openUsos(db, { now, log }))
const metrics = openMetrics(now)
const nothing = async (): Promise<void> => {}
const sinks: Record<string, Sink> = {
  'no sink': { note: () => {}, flush: nothing, index: nothing },
  metrics: { note: metrics.note, flush: nothing, index: nothing },
}
for (const [i, name] of ['usage, SQLite', 'usage, PostgreSQL'].entries()) {
  const one = usos[i]
  if (one) sinks[name] = one
}
const taken = new Map<string, { own: number; database: number }[]>()
for (let round = 0; round < rounds; round++)
  for (const [name, sink] of Object.entries(sinks))
    taken.set(name, [...(taken.get(name) ?? []), await measure(sink)])
console.log(`${machineLine()}; medians of ${rounds} rounds of ${OUTCOMES} outcomes of ${accounts} accounts`)
for (const [sink, values] of taken) {
  report(`${sink}: CPU`, median(values.map(({ own }) => own)), 'µs an outcome')
  report(`${sink}: CPU of the database`, median(values.map(({ database }) => database)), 'µs an outcome')
}
for (const [name, db] of Object.entries({ SQLite: sqlite, PostgreSQL: shared }))
  report(`${name}: a row of usage, indexes in`, await bytesOf(db), 'bytes')
for (const one of usos) await one.close()
await sqlite.close()
await shared.close()
await postgres.stop()
rmSync(folder, { recursive: true, force: true })
