/**
 * Measures an account's statement of a month, in a ledger of 1,000,000 entries, on both databases: `node
 * bench/extrato.ts [rounds]`.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { periodoOf } from '../src/documento/dia.ts'
import { type Db, openDb } from '../src/platform/db/db.ts'
import { newRequestId } from '../src/platform/jobs/kind.ts'
import { renewalId } from '../src/platform/ledger/book.ts'
import { type Entry, selectExtrato, selectMes } from '../src/platform/ledger/extrato.ts'
import { newConta } from '../test/kit/account.ts'
import { startPostgres } from '../test/kit/postgres.ts'
import { machineLine, median } from './machine.ts'

const ENTRIES = 1_000_000
const ACCOUNTS = 10
const BATCH = 10_000
const FIRST = new Date('2024-12-01T12:00:00Z')
const LAST = new Date('2026-11-30T12:00:00Z')
const [rounds = 21] = process.argv.slice(2).map(Number)

type Head = { id: string; periodo: string; request_id: string; tipo: string }
type Line = [request_id: string, conta_id: string, before: string, of: string, tipo: string, at: number]

/**
 * Writes the accounts' charges in turn, so that no page holds one account's charges alone. Adds a renewal a
 * month.
 */
async function fill(db: Db): Promise<Head[]> {
  const heads: Head[] = []
  for (let i = 0; i < ACCOUNTS; i++) {
    const { id } = await newConta(db, 'enterprise', FIRST)
    const periodo = periodoOf(FIRST)
    heads.push({ id, periodo, request_id: renewalId(id, periodo), tipo: 'renewal' })
  }
  let lines: Line[] = []
  for (let i = 0; i < ENTRIES; i++) {
    const at = new Date(FIRST.getTime() + ((LAST.getTime() - FIRST.getTime()) * i) / ENTRIES)
    const head = heads[i % ACCOUNTS]
    if (head) lines.push(follow(head, at))
    if (lines.length === BATCH || i === ENTRIES - 1) {
      await insert(db, lines)
      lines = []
    }
  }
  for (const { id, periodo, request_id: ultimo_request } of heads)
    await db.kysely
      .updateTable('saldos')
      .set({ periodo, ultimo_request, ultimo_tipo: 'charge' })
      .where('conta_id', '=', id)
      .execute()
  if (db.dialect === 'postgres') await sql`vacuum analyze lancamentos`.execute(db.kysely)
  return heads
}

/** The account's next entry: its renewal where a month begins. */
function follow(head: Head, at: Date): Line {
  const { request_id: before, tipo: of } = head
  const periodo = periodoOf(at)
  const renewal = periodo !== head.periodo
  head.periodo = periodo
  head.tipo = renewal ? 'renewal' : 'charge'
  head.request_id = renewal ? renewalId(head.id, periodo) : newRequestId(at)
  return [head.request_id, head.id, before, of, head.tipo, at.getTime()]
}

const insert = (db: Db, lines: readonly Line[]): Promise<unknown> =>
  sql`insert into lancamentos (creditos, cota, extra, endpoint, no, request_id, conta_id, anterior_request,
      anterior_tipo, tipo, criado_em)
    select 1, -1, 0, '/api/consultar-cnpj', 'bench', j.value ->> 0, j.value ->> 1, j.value ->> 2, j.value ->> 3,
      j.value ->> 4, cast(j.value ->> 5 as bigint) from json_each(${JSON.stringify({ ...lines })}) as j`.execute(
    db.kysely,
  )

async function time(read: () => Promise<Entry[]>): Promise<{ lines: number; ms: number; slowest: number }> {
  const times: number[] = []
  let lines = 0
  for (let round = 0; round <= rounds; round++) {
    const started = performance.now()
    lines = (await read()).length
    if (round > 0) times.push(performance.now() - started)
  }
  return { lines, ms: median(times), slowest: Math.max(...times) }
}

const folder = mkdtempSync(join(tmpdir(), 'consulta-fiscal-bench-'))
const postgres = await startPostgres()
const databases = [
  { name: 'SQLite', db: await openDb({ arquivo: join(folder, 'banco.sqlite') }) },
  { name: 'PostgreSQL', db: await openDb({ arquivo: '', databaseUrl: await postgres.createDatabase() }) },
]
console.log(`${machineLine()}; ${ENTRIES} entries of ${ACCOUNTS} accounts, medians of ${rounds} reads`)
for (const { name, db } of databases) {
  const [{ id } = { id: '' }] = await fill(db)
  const month = (mes: string, limite: number) => () => selectMes(db, id, { mes, limite })
  const reads = {
    'newest month, 100 lines': month('2026-11', 100),
    'oldest month, 100 lines': month('2024-12', 100),
    'oldest month, 1,000 lines': month('2024-12', 1_000),
    'oldest month, all lines': month('2024-12', ENTRIES),
    'no such month': month('2024-01', 100),
    'the whole chain': () => selectExtrato(db, id, { limite: ENTRIES }),
  }
  const rows = []
  for (const [label, read] of Object.entries(reads)) {
    const { lines, ms, slowest } = await time(read)
    rows.push({ [name]: label, lines, ms: ms.toFixed(2), slowest: slowest.toFixed(2) })
  }
  console.table(rows)
  await db.close()
}
await postgres.stop()
rmSync(folder, { recursive: true, force: true })
