/**
 * Measures durable charges a second of the ledger alone, on both databases: `node bench/ledger.ts [rounds]
 * [charges a round]`.
 */
import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { type Db, openDb } from '../src/platform/db/db.ts'
import { newRequestId } from '../src/platform/jobs/kind.ts'
import { type Cobranca, type Ledger, openLedger } from '../src/platform/ledger/ledger.ts'
import { newConta } from '../test/kit/account.ts'
import { startPostgres } from '../test/kit/postgres.ts'
import { machineLine, median } from './machine.ts'

const CALLERS = 50
const ACCOUNTS = 1_000
const [rounds = 5, charges = 40_000] = process.argv.slice(2).map(Number)
const now = () => new Date()

const folder = mkdtempSync(join(tmpdir(), 'consulta-fiscal-bench-'))
const postgres = await startPostgres()
const databases = [
  { name: 'SQLite', db: await openDb({ arquivo: join(folder, 'banco.sqlite') }) },
  { name: 'PostgreSQL', db: await openDb({ arquivo: '', databaseUrl: await postgres.createDatabase() }) },
]

type Work = (ledger: Ledger, call: Cobranca) => Promise<unknown>
const works: Record<string, { callers: number; accounts: number; work: Work }> = {
  'charge, one caller': { callers: 1, accounts: 1, work: (ledger, call) => ledger.charge(call) },
  'charge, one account': { callers: CALLERS, accounts: 1, work: (ledger, call) => ledger.charge(call) },
  [`charge, ${ACCOUNTS} accounts`]: {
    callers: CALLERS,
    accounts: ACCOUNTS,
    work: (ledger, call) => ledger.charge(call),
  },
  [`hold and settle, ${ACCOUNTS} accounts`]: {
    callers: CALLERS,
    accounts: ACCOUNTS,
    work: async (ledger, call) => {
      await ledger.hold(call)
      await ledger.settle(call)
    },
  },
}

/** Calls a second, and microseconds of this process's CPU for each. */
async function measure(
  ledger: Ledger,
  contas: Cobranca['conta'][],
  { callers, accounts, work }: (typeof works)[string],
) {
  const calls = callers === 1 ? Math.ceil(charges / 20) : charges
  const cpu = process.cpuUsage()
  const started = performance.now()
  let next = 0
  const caller = async (): Promise<void> => {
    while (next < calls) {
      const conta = contas[next++ % accounts]
      if (conta)
        await work(ledger, {
          conta,
          request_id: newRequestId(now()),
          endpoint: '/api/consultar-cnpj',
          creditos: 1,
        })
    }
  }
  await Promise.all(Array.from({ length: callers }, caller))
  const seconds = (performance.now() - started) / 1000
  const { user, system } = process.cpuUsage(cpu)
  return { rate: calls / seconds, cpu: (user + system) / calls }
}

async function openAccounts(db: Db, ledger: Ledger): Promise<Cobranca['conta'][]> {
  const contas: Cobranca['conta'][] = []
  for (let i = 0; i < ACCOUNTS; i++) {
    const conta = await newConta(db, 'enterprise', now())
    await ledger.grant({
      conta_id: conta.id,
      creditos: 900_000_000,
      request_id: randomUUID(),
      motivo: 'bench',
    })
    contas.push(conta)
  }
  return contas
}

/** The bytes that an entry of the ledger takes on the disk. */
async function bytesOf(db: Db): Promise<number> {
  const size =
    db.dialect === 'postgres'
      ? sql<{ bytes: number }>`select pg_total_relation_size('lancamentos') as bytes`
      : sql<{
          bytes: number
        }>`select page_count * page_size as bytes from pragma_page_count(), pragma_page_size()`
  const [taken] = (await size.execute(db.kysely)).rows
  const { count } = await db.kysely
    .selectFrom('lancamentos')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return (taken?.bytes ?? 0) / Number(count)
}

console.log(`${machineLine()}; ${CALLERS} callers, medians of ${rounds} rounds of ${charges} calls`)
for (const { name, db } of databases) {
  const ledger = openLedger(db, { no: randomUUID(), now })
  const contas = await openAccounts(db, ledger)
  const rows = []
  for (const [label, work] of Object.entries(works)) {
    const results = []
    for (let round = 0; round < rounds; round++) results.push(await measure(ledger, contas, work))
    rows.push({
      [name]: label,
      'calls/s': Math.round(median(results.map(({ rate }) => rate))),
      'CPU µs a call': median(results.map(({ cpu }) => cpu)).toFixed(1),
    })
  }
  console.table(rows)
  const bytes = await bytesOf(db)
  console.log(`${name}: ${bytes.toFixed(0)} bytes an entry, with its index`)
  console.log(`${name}: 1,000 charged requests leave ${(bytes / 1000).toFixed(2)} MB for ever`)
  await ledger.close()
  await db.close()
}
await postgres.stop()
rmSync(folder, { recursive: true, force: true })
