/**
 * Durable charges a second on PostgreSQL beside a bare insert in groups, pgledger, a batched function: `node
 * bench/ledger-field.ts [--pgledger FILE,...] [--funcao FILE] [--segundos 2] [--rodadas 3]`. Their SQL is not
 * ours to keep: without the files it says where they are published.
 */
import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import pg from 'pg'
import { startPostgres } from '../test/kit/postgres.ts'
import { openDatabaseCpu } from './database.ts'
import { report } from './figures.ts'
import { loadNow, machineLine, median } from './machine.ts'
import { inParallel } from './parallel.ts'
import { fromTree } from './tree.ts'

const { createConta } = await fromTree<typeof import('../src/contas/store-contas.ts')>(
  'src/contas/store-contas.ts',
)
const { openDb } = await fromTree<typeof import('../src/platform/db/db.ts')>('src/platform/db/db.ts')
const { openGroupCommit } = await fromTree<typeof import('../src/platform/db/queries.ts')>(
  'src/platform/db/queries.ts',
)
const { newRequestId } =
  await fromTree<typeof import('../src/platform/jobs/kind.ts')>('src/platform/jobs/kind.ts')
// A tree before names of nodes were short has no `takeNo`.
const { openLedger, takeNo = async () => randomUUID() } = await fromTree<
  typeof import('../src/platform/ledger/ledger.ts')
>('src/platform/ledger/ledger.ts')

const { values: given } = parseArgs({
  options: {
    pgledger: { type: 'string' },
    funcao: { type: 'string' },
    segundos: { type: 'string', default: '2' },
    rodadas: { type: 'string', default: '3' },
  },
})
const ACCOUNTS = [1, 50, 10_000]
const CALLERS = [1, 32, 256]
const MOST_ACCOUNTS = Math.max(...ACCOUNTS)
/** More connections than this are slower on few cores. */
const CONNECTIONS = 32
const PUBLISHED = {
  pgledger:
    'github.com/pgr0ss/pgledger, pgledger.sql, after github.com/scoville/pgsql-ulid, uuid-to-ulid.sql',
  funcao: 'github.com/softwaremill/tb-perf, scripts/init-postgresql.sql (batch_transfers)',
}

/** Something that charges: `charge` takes a credit of an account, 0 to 9,999, and waits for the disk. */
type Contender = {
  charge: (account: number) => Promise<unknown>
  /** How many charges it has kept. */
  kept: () => Promise<number>
  close: () => Promise<void>
}

const now = () => new Date()

async function openOurs(databaseUrl: string): Promise<Contender> {
  const db = await openDb({ arquivo: '', databaseUrl })
  const ledger = openLedger(db, { no: await takeNo(db, now), now })
  const contas: { id: string; plano: 'enterprise' }[] = []
  await inParallel(Array.from({ length: MOST_ACCOUNTS }).keys().toArray(), 32, async (i) => {
    const email = `conta-${i}@exemplo.test`
    const conta = await createConta(db, { nome: 'Teste', email, plano: 'enterprise', now: now() })
    if (!conta) throw new Error(`${email} has an account`)
    contas.push({ id: conta.id, plano: 'enterprise' })
    const motivo = 'bench'
    await ledger.grant({ conta_id: conta.id, creditos: 900_000_000, request_id: randomUUID(), motivo })
  })
  return {
    charge: async (account) => {
      const conta = contas[account]
      if (!conta) throw new Error(`no account ${account}`)
      const request_id = newRequestId(now())
      const { ok } = await ledger.charge({ conta, request_id, endpoint: '/api/consultar', creditos: 1 })
      if (!ok) throw new Error('a charge was refused')
    },
    kept: async () => {
      const { count } = await db.kysely
        .selectFrom('lancamentos')
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .where('tipo', '=', 'charge')
        .executeTakeFirstOrThrow()
      return Number(count)
    },
    close: async () => {
      await ledger.close()
      await db.close()
    },
  }
}

/** A contender that takes charges in groups, as our ledger does, with one statement a group. */
async function openGrouped(
  databaseUrl: string,
  setup: readonly string[],
  { statement, counting }: { statement: string; counting: string },
): Promise<Contender> {
  const client = new pg.Client(databaseUrl)
  await client.connect()
  for (const sql of setup) await client.query(sql)
  const groups = openGroupCommit(async (accounts: number[]) => {
    const destinations = accounts.map((account) => MOST_ACCOUNTS + account)
    const { rows } = await client.query({
      name: 'charge',
      text: statement,
      values: [accounts, destinations, accounts.map(() => 1)],
    })
    const codes: number[] = rows[0]?.codes ?? []
    if (codes.some((code) => code !== 0)) throw new Error(`refused: ${codes.join(', ')}`)
    return accounts
  })
  return {
    charge: groups.add,
    kept: async () => Number((await client.query(counting)).rows[0]?.count),
    close: async () => {
      await groups.close()
      await client.end()
    },
  }
}

const openInsert = (databaseUrl: string): Promise<Contender> =>
  openGrouped(
    databaseUrl,
    [
      `create table charges (id bigint generated always as identity primary key, account bigint not null,
        destination bigint not null, amount bigint not null, at timestamptz not null default now())`,
    ],
    {
      statement: `insert into charges (account, destination, amount)
        select * from unnest($1::bigint[], $2::bigint[], $3::bigint[])`,
      counting: 'select count(*) from charges',
    },
  )

const openFuncao = (databaseUrl: string, file: string): Promise<Contender> =>
  openGrouped(
    databaseUrl,
    [
      readFileSync(file, 'utf8'),
      `insert into accounts (id, balance) select i, 900000000 from generate_series(0, ${2 * MOST_ACCOUNTS}) i`,
    ],
    {
      statement: 'select batch_transfers($1::bigint[], $2::bigint[], $3::bigint[]) as codes',
      counting: 'select count(*) from transfers',
    },
  )

/** Each transfer is a call and a commit, on as many connections as there are callers, 32 at most. */
async function openPgledger(databaseUrl: string, files: readonly string[]): Promise<Contender> {
  const pool = new pg.Pool({ connectionString: databaseUrl, max: CONNECTIONS })
  for (const file of files) await pool.query(readFileSync(file, 'utf8'))
  const open = async (allowNegative: boolean): Promise<string[]> => {
    const { rows } = await pool.query(
      `select a.id from generate_series(1, $1::int) i,
        lateral pgledger_create_account('c' || i, 'BRL', allow_negative_balance => $2) a`,
      [MOST_ACCOUNTS, allowNegative],
    )
    return rows.map(({ id }) => String(id))
  }
  const [sources, destinations] = [await open(true), await open(true)]
  return {
    charge: (account) =>
      pool.query({
        name: 'charge',
        text: 'select id from pgledger_create_transfer($1, $2, 1)',
        values: [sources[account], destinations[account]],
      }),
    kept: async () => Number((await pool.query('select count(*) from pgledger_transfers')).rows[0]?.count),
    close: () => pool.end(),
  }
}

type Cell = { accounts: number; callers: number }
type Result = { rate: number; nodeUs: number; databaseUs: number; calls: number }

async function measure(
  { charge }: Contender,
  { accounts, callers }: Cell,
  { ms, spent }: { ms: number; spent: () => number },
): Promise<Result> {
  const [before, cpu, began] = [spent(), process.cpuUsage(), performance.now()]
  let calls = 0
  const caller = async (): Promise<void> => {
    while (performance.now() - began < ms) await charge(calls++ % accounts)
  }
  await Promise.all(Array.from({ length: callers }, caller))
  const seconds = (performance.now() - began) / 1000
  const { user, system } = process.cpuUsage(cpu)
  return {
    rate: calls / seconds,
    nodeUs: (user + system) / calls,
    databaseUs: ((spent() - before) * 1000) / calls,
    calls,
  }
}

const postgres = await startPostgres()
const url = () => postgres.createDatabase()
const contenders: Record<string, Contender> = {
  ours: await openOurs(await url()),
  insert: await openInsert(await url()),
}
for (const name of ['pgledger', 'funcao'] as const)
  if (!given[name]) console.log(`without --${name}; its SQL is published at ${PUBLISHED[name]}`)
if (given.pgledger) contenders.pgledger = await openPgledger(await url(), given.pgledger.split(','))
if (given.funcao) contenders.funcao = await openFuncao(await url(), given.funcao)

const spent = await openDatabaseCpu(await url())
const ms = Number(given.segundos) * 1000
const rounds = Number(given.rodadas)
console.log(`${machineLine()}; ${rounds} rounds of ${given.segundos} s by turns, load ${loadNow()}`)
const calls: Record<string, number> = {}
const WARM_MS = 500
const rows: object[] = []
for (const accounts of ACCOUNTS)
  for (const callers of CALLERS) {
    const cell = { accounts, callers }
    const results: Record<string, Result[]> = {}
    for (const [name, contender] of Object.entries(contenders))
      calls[name] = (calls[name] ?? 0) + (await measure(contender, cell, { ms: WARM_MS, spent })).calls
    for (let round = 0; round < rounds; round++) {
      const order = Object.entries(contenders)
      for (const [name, contender] of round % 2 ? order.toReversed() : order) {
        const result = await measure(contender, cell, { ms, spent })
        results[name] = [...(results[name] ?? []), result]
        calls[name] = (calls[name] ?? 0) + result.calls
      }
    }
    const ours = results.ours ?? []
    for (const [name, theirs] of Object.entries(results)) {
      const label = `${name}, ${accounts} accounts, ${callers} callers`
      report(label, median(theirs.map(({ rate }) => rate)), 'a second')
      const row = {
        accounts,
        callers,
        who: name,
        'a second': Math.round(median(theirs.map(({ rate }) => rate))),
        'node µs': median(theirs.map(({ nodeUs }) => nodeUs)).toFixed(1),
        'database µs': median(theirs.map(({ databaseUs }) => databaseUs)).toFixed(1),
      }
      const whole = median(ours.map(({ rate }, n) => rate / (theirs[n]?.rate ?? rate)))
      const database = median(ours.map(({ databaseUs }, n) => (theirs[n]?.databaseUs ?? 0) / databaseUs))
      rows.push({ ...row, 'ours ÷ it, whole': whole.toFixed(2), 'ours ÷ it, database': database.toFixed(2) })
      if (name !== 'ours') report(`ours over ${label}`, whole, '')
    }
  }
console.table(rows)
for (const [name, contender] of Object.entries(contenders)) {
  const kept = await contender.kept()
  if (kept !== calls[name]) throw new Error(`${name} kept ${kept} of ${calls[name]} charges`)
  await contender.close()
}
console.log(`each has kept all its charges: ${JSON.stringify(calls)}; load ${loadNow()}`)
await postgres.stop()
