/**
 * Measures the use of a month as `/api/v1/conta` sums it, on both databases: `node bench/conta.ts [rounds]`.
 * The first sum walks all entries of the month, and a later one those that are new.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { sql } from 'kysely'
import { periodoOf } from '../src/documento/dia.ts'
import { type Db, openDb } from '../src/platform/db/db.ts'
import { newRequestId } from '../src/platform/jobs/kind.ts'
import { renewalId } from '../src/platform/ledger/book.ts'
import { openBalancos } from '../src/platform/ledger/meses.ts'
import { newConta } from '../test/kit/account.ts'
import { startPostgres } from '../test/kit/postgres.ts'
import { machineLine, median } from './machine.ts'

const NOW = new Date('2026-11-14T15:00:00Z')
const SIZES = [1_000, 10_000, 100_000]
const BATCH = 10_000
const [rounds = 11] = process.argv.slice(2).map(Number)

/** Accounts with as many charges in the month as `SIZES` says, written in turn, so that pages are shared. */
async function fill(db: Db): Promise<string[]> {
  const heads = await Promise.all(
    SIZES.map(async (size) => {
      const { id } = await newConta(db, 'enterprise', NOW)
      return { id, size, request_id: renewalId(id, periodoOf(NOW)), tipo: 'renewal' }
    }),
  )
  let lines: string[][] = []
  for (let i = 0; i < Math.max(...SIZES); i++)
    for (const head of heads) {
      if (i % (Math.max(...SIZES) / head.size) !== 0) continue
      const request_id = newRequestId(new Date(NOW.getTime() + i))
      lines.push([request_id, head.id, head.request_id, head.tipo])
      Object.assign(head, { request_id, tipo: 'charge' })
      if (lines.length === BATCH) {
        await insert(db, lines)
        lines = []
      }
    }
  await insert(db, lines)
  for (const { id, size, request_id: ultimo_request } of heads)
    await db.kysely
      .updateTable('saldos')
      .set({ ultimo_request, ultimo_tipo: 'charge', cota: 100_000 - size })
      .where('conta_id', '=', id)
      .execute()
  if (db.dialect === 'postgres') await sql`vacuum analyze lancamentos`.execute(db.kysely)
  return heads.map(({ id }) => id)
}

const insert = (db: Db, lines: readonly string[][]): Promise<unknown> =>
  sql`insert into lancamentos (tipo, creditos, cota, extra, endpoint, criado_em, no, request_id, conta_id,
      anterior_request, anterior_tipo)
    select 'charge', 1, -1, 0, '/api/consultar-cnpj', ${NOW.getTime()}, 'bench', j.value ->> 0, j.value ->> 1,
      j.value ->> 2, j.value ->> 3 from json_each(${JSON.stringify({ ...lines })}) as j`.execute(db.kysely)

async function measure(db: Db, id: string): Promise<object> {
  const times: { first: number; again: number; stop: number }[] = []
  for (let round = 0; round <= rounds; round++) {
    const balancoOf = openBalancos(db)
    const delay = monitorEventLoopDelay({ resolution: 1 })
    delay.enable()
    const started = performance.now()
    await balancoOf(id)
    const first = performance.now() - started
    delay.disable()
    const later = performance.now()
    await balancoOf(id)
    times.push({ first, again: performance.now() - later, stop: delay.max / 1e6 })
  }
  const of = (name: 'first' | 'again' | 'stop') => median(times.slice(1).map((time) => time[name])).toFixed(2)
  return { 'first, ms': of('first'), 'again, ms': of('again'), 'longest stop of the loop, ms': of('stop') }
}

const folder = mkdtempSync(join(tmpdir(), 'consulta-fiscal-bench-'))
const postgres = await startPostgres()
const databases = [
  { name: 'SQLite', db: await openDb({ arquivo: join(folder, 'banco.sqlite') }) },
  { name: 'PostgreSQL', db: await openDb({ arquivo: '', databaseUrl: await postgres.createDatabase() }) },
]
console.log(`${machineLine()}; medians of ${rounds} sums`)
for (const { name, db } of databases) {
  const ids = await fill(db)
  const rows = []
  for (const [i, size] of SIZES.entries())
    rows.push({ [name]: `${size} entries`, ...(await measure(db, ids[i] ?? '')) })
  console.table(rows)
  await db.close()
}
await postgres.stop()
rmSync(folder, { recursive: true, force: true })
