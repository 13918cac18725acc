/**
 * `npm run bench -- nodes [rounds] [seconds]`: 1, 2 and 4 nodes on one PostgreSQL, charges alone of 1,000
 * accounts and of one, then GET /api/consultar-cnpj whole. What a charge costs by the size of its
 * transaction is fitted on one node, and stands beside what was measured.
 */
import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { availableParallelism, loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import autocannon from 'autocannon'
import pg from 'pg'
import { openDb } from '../src/platform/db/db.ts'
import { openLedger } from '../src/platform/ledger/ledger.ts'
import { newConta } from '../test/kit/account.ts'
import { startPostgres } from '../test/kit/postgres.ts'
import { openDatabaseCpu } from './database.ts'
import { machineLine, median } from './machine.ts'
import type { Turno } from './nodes-charge.ts'
import { ask, startTarget, stopTarget, type Target, usageOf } from './target.ts'

const [rounds = 3, seconds = 4] = process.argv.slice(2).map(Number)
const ACCOUNTS = 1_000
const CALLERS = 50
const MOST = 4

const postgres = await startPostgres()
const url = await postgres.createDatabase()

async function openAccounts(): Promise<string[]> {
  const db = await openDb({ arquivo: '', databaseUrl: url })
  const ledger = openLedger(db, { no: randomUUID(), now: () => new Date() })
  const contas: string[] = []
  for (let i = 0; i < ACCOUNTS; i++) {
    const { id } = await newConta(db, 'enterprise', new Date())
    await ledger.grant({ conta_id: id, creditos: 900_000_000, request_id: randomUUID(), motivo: 'bench' })
    contas.push(id)
  }
  await ledger.close()
  await db.close()
  return contas
}

const contas = await openAccounts()
const databaseCpu = await openDatabaseCpu(url)
const client = new pg.Client(url)
await client.connect()

/** Each transaction that writes takes the next number, and its bytes stand in the log. */
async function written(): Promise<{ transactions: number; bytes: number }> {
  const { rows } = await client.query(
    "select pg_current_xact_id()::text as transactions, (pg_current_wal_lsn() - '0/0')::text as bytes",
  )
  return { transactions: Number(rows[0]?.transactions), bytes: Number(rows[0]?.bytes) }
}

/**
 * Of a round: calls a second, microseconds of the processor a call, calls a transaction, bytes of the
 * database's log a call, cores in use.
 */
type Medida = {
  rate: number
  nodeUs: number
  databaseUs: number
  group: number
  logBytes: number
  cores: number
}

async function measure(work: () => Promise<{ calls: number; cpuMs: number }>): Promise<Medida> {
  const first = await written()
  const [began, database] = [performance.now(), databaseCpu()]
  const { calls, cpuMs } = await work()
  const ms = performance.now() - began
  const databaseMs = databaseCpu() - database
  const last = await written()
  return {
    rate: (calls / ms) * 1000,
    nodeUs: (cpuMs / calls) * 1000,
    databaseUs: (databaseMs / calls) * 1000,
    group: calls / (last.transactions - first.transactions),
    logBytes: (last.bytes - first.bytes) / calls,
    cores: (cpuMs + databaseMs) / ms,
  }
}

async function charge(nodes: readonly Target[], turno: Turno): Promise<{ calls: number; cpuMs: number }> {
  const answers = await Promise.all(nodes.map((node) => ask(node, turno)))
  return answers.reduce<{ calls: number; cpuMs: number }>(
    (sum, answer) => {
      const { calls, cpuMs } = Object(answer)
      return { calls: sum.calls + calls, cpuMs: sum.cpuMs + cpuMs }
    },
    { calls: 0, cpuMs: 0 },
  )
}

/** Asks all nodes at once, each with keys of its own. The generator's processor time is not counted. */
async function get(nodes: readonly Target[]): Promise<{ calls: number; cpuMs: number }> {
  const used = async () => (await Promise.all(nodes.map((node) => usageOf(node)))).map(({ cpuMs }) => cpuMs)
  const before = await used()
  const results = await Promise.all(
    nodes.map(({ address, keys }) =>
      autocannon({
        url: address,
        connections: CALLERS,
        duration: seconds,
        requests: keys.map((key) => ({
          method: 'GET' as const,
          path: '/api/consultar-cnpj?cnpj=33000167000101',
          headers: { 'X-API-Key': key },
        })),
      }),
    ),
  )
  for (const { non2xx, errors } of results)
    if (non2xx + errors > 0) throw new Error(`${non2xx} refused, ${errors} failed`)
  const after = await used()
  return {
    calls: results.reduce((sum, { requests }) => sum + requests.total, 0),
    cpuMs: after.reduce((sum, ms, at) => sum + ms - (before[at] ?? 0), 0),
  }
}

type Caso = {
  name: string
  nodes: number
  callers: number
  work: () => Promise<{ calls: number; cpuMs: number }>
}

/** Runs the cases by turns, and gives the medians of each. */
async function runAll(cases: readonly Caso[]): Promise<(Caso & Medida)[]> {
  const all = cases.map((caso) => ({ caso, rounds: [] as Medida[] }))
  for (const { caso } of all) await caso.work()
  for (let round = 0; round < rounds; round++)
    for (const one of round % 2 ? all.toReversed() : all) one.rounds.push(await measure(one.caso.work))
  const of = (rounds: readonly Medida[], key: keyof Medida): number => median(rounds.map((one) => one[key]))
  return all.map(({ caso, rounds: measured }) => ({
    ...caso,
    rate: of(measured, 'rate'),
    nodeUs: of(measured, 'nodeUs'),
    databaseUs: of(measured, 'databaseUs'),
    group: of(measured, 'group'),
    logBytes: of(measured, 'logBytes'),
    cores: of(measured, 'cores'),
  }))
}

/** The straight line through points, by least squares: what a call costs, and a transaction. */
function fit(points: readonly (readonly [number, number])[]): (x: number) => number {
  const mean = (values: readonly number[]): number => values.reduce((a, b) => a + b, 0) / values.length
  const [mx, my] = [mean(points.map(([x]) => x)), mean(points.map(([, y]) => y))]
  const slope =
    points.reduce((sum, [x, y]) => sum + (x - mx) * (y - my), 0) /
    points.reduce((sum, [x]) => sum + (x - mx) ** 2, 0)
  return (x) => my + slope * (x - mx)
}

const load = loadavg().map((one) => one.toFixed(1))
console.log(`${machineLine()}; load ${load.join(', ')}; ${rounds} rounds of ${seconds} s, medians`)

const chargers = await Promise.all(
  Array.from({ length: MOST }, (_, n) => startTarget(`node ${n}`, 'nodes-charge.ts', { DATABASE_URL: url })),
)
const caseOf = (name: string, nodes: number, callers: number, own: readonly string[]): Caso => ({
  name,
  nodes,
  callers,
  work: () => charge(chargers.slice(0, nodes), { contas: own, callers, seconds }),
})
const hot = contas.slice(0, 1)
const charged = await runAll([
  ...[1, 4, 16, CALLERS].map((callers) => caseOf('1,000 accounts', 1, callers, contas)),
  ...[2, MOST].map((nodes) => caseOf('1,000 accounts', nodes, CALLERS, contas)),
  ...[1, 2, MOST].map((nodes) => caseOf('one account', nodes, CALLERS, hot)),
])
const singles = charged.filter(({ name, nodes }) => name !== 'one account' && nodes === 1)
const nodeBy = fit(singles.map(({ group, nodeUs }) => [1 / group, nodeUs]))
const databaseBy = fit(singles.map(({ group, databaseUs }) => [1 / group, databaseUs]))
console.log(
  `of a charge: node ${nodeBy(0).toFixed(1)} µs + ${(nodeBy(1) - nodeBy(0)).toFixed(0)} a transaction, ` +
    `database ${databaseBy(0).toFixed(1)} + ${(databaseBy(1) - databaseBy(0)).toFixed(0)}`,
)
const row = ({ name, nodes, callers, rate, nodeUs, databaseUs, group, logBytes, cores }: Caso & Medida) => ({
  of: name,
  nodes,
  'callers each': callers,
  'a second': Math.round(rate),
  'node µs': nodeUs.toFixed(1),
  'database µs': databaseUs.toFixed(1),
  'a transaction': group.toFixed(1),
  'log bytes': Math.round(logBytes),
  'cores used': cores.toFixed(2),
})
console.table(
  charged.map((one) => {
    const modelled = nodeBy(1 / one.group) + databaseBy(1 / one.group)
    return {
      ...row(one),
      'model µs': modelled.toFixed(1),
      [`most on ${availableParallelism()} cores`]: Math.round((availableParallelism() * 1e6) / modelled),
    }
  }),
)
await Promise.all(chargers.map(stopTarget))

const folders = Array.from({ length: MOST }, () => mkdtempSync(join(tmpdir(), 'bench-nodes-')))
const servers: Target[] = []
for (const [n, DATA_DIR] of folders.entries())
  servers.push(
    await startTarget(`node ${n}`, 'http-full.ts', {
      DATA_DIR,
      DATABASE_URL: url,
      LOG_LEVEL: 'silent',
      ACCOUNTS: '400',
      PORT: '0',
      SEFAZ_MONITOR: 'desligado',
      SERVER_SECRET: 'um segredo da bancada, o mesmo em todos os nós',
    }),
  )
const answered = await runAll(
  [1, 2, MOST].map((nodes) => ({
    name: 'GET /api/consultar-cnpj',
    nodes,
    callers: CALLERS,
    work: () => get(servers.slice(0, nodes)),
  })),
)
console.table(answered.map(row))
await Promise.all(servers.map(stopTarget))
await client.end()
await postgres.stop()
for (const folder of folders) rmSync(folder, { recursive: true, force: true })
console.log(
  `load at the end ${loadavg()
    .map((one) => one.toFixed(1))
    .join(', ')}`,
)
