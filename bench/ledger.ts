/**
 * Measures durable charges a second of the ledger alone, on both databases: `node bench/ledger.ts [rounds]
 * [charges a round]`.
 */
import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import type { Db } from '../src/platform/db/db.ts'
import type { Cobranca, Ledger } from '../src/platform/ledger/ledger.ts'
import { startPostgres } from '../test/kit/postgres.ts'
import { openDatabaseCpu } from './database.ts'
import { report } from './figures.ts'
import { machineLine, median } from './machine.ts'
import { fromTree } from './tree.ts'

const { createConta } = await fromTree<typeof import('../src/contas/store-contas.ts')>(
  'src/contas/store-contas.ts',
)
const { openDb } = await fromTree<typeof import('../src/platform/db/db.ts')>('src/platform/db/db.ts')
const { newRequestId } =
  await fromTree<typeof import('../src/platform/jobs/kind.ts')>('src/platform/jobs/kind.ts')
// A tree before names of nodes were short has no `takeNo`.
const { openLedger, takeNo = async () => randomUUID() } = await fromTree<
  typeof import('../src/platform/ledger/ledger.ts')
>('src/platform/ledger/ledger.ts')

const CALLERS = 50
const ACCOUNTS = 1_000
const [rounds = 5, charges = 40_000] = process.argv.slice(2).map(Number)
const now = () => new Date()

const folder = mkdtempSync(join(tmpdir(), 'consulta-fiscal-bench-'))
const postgres = await startPostgres()
const databaseUrl = await postgres.createDatabase()
const databases = [
  { name: 'SQLite', db: await openDb({ arquivo: join(folder, 'banco.sqlite') }), spent: () => 0 },
  {
    name: 'PostgreSQL',
    db: await openDb({ arquivo: '', databaseUrl }),
    spent: await openDatabaseCpu(databaseUrl),
  },
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

/** Calls a second, and microseconds of this process's and of the database's CPU for each. */
async function measure(
  ledger: Ledger,
  contas: Cobranca['conta'][],
  { callers, accounts, work }: (typeof works)[string],
  spent: () => number,
) {
  const calls = callers === 1 ? Math.ceil(charges / 20) : charges
  const databaseBefore = spent()
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
  const databaseMs = spent() - databaseBefore
  return { rate: calls / seconds, cpu: (user + system) / calls, database: (databaseMs * 1000) / calls }
}

async function openAccounts(db: Db, ledger: Ledger): Promise<Cobranca['conta'][]> {
  const contas: Cobranca['conta'][] = []
  for (let i = 0; i < ACCOUNTS; i++) {
    const email = `conta-${i}@exemplo.test`
    const conta = await createConta(db, { nome: 'Teste', email, plano: 'enterprise', now: now() })
    if (!conta) throw new Error(`${email} has an account`)
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
for (const { name, db, spent } of databases) {
  const ledger = openLedger(db, { no: await takeNo(db, now), now })
  const contas = await openAccounts(db, ledger)
  for (const [label, work] of Object.entries(works)) {
    const results = []
    for (let round = 0; round < rounds; round++) results.push(await measure(ledger, contas, work, spent))
    report(`${name}: ${label}`, median(results.map(({ rate }) => rate)), 'a second')
    report(`${name}: ${label}, CPU`, median(results.map(({ cpu }) => cpu)), 'µs a call')
    if (db.dialect === 'postgres')
      report(
        `${name}: ${label}, CPU of the database`,
        median(results.map((one) => one.database)),
        'µs a call',
      )
  }
  report(`${name}: an entry, indexes in`, await bytesOf(db), 'bytes')
  await ledger.close()
  await db.close()
}
await postgres.stop()
rmSync(folder, { recursive: true, force: true })
