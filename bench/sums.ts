/**
 * What the clock's sums of the months cost a charge: a load of GET /api/consultar-cnpj by 1,000 accounts,
 * then their sums, alone and beside a load. `node bench/sums.ts [rounds] [seconds]`
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { startPostgres } from '../test/kit/postgres.ts'
import { load, type Round } from './by-turns.ts'
import { someCnpjs } from './companies.ts'
import { openDatabaseCpu } from './database.ts'
import { report } from './figures.ts'
import { machineLine, median } from './machine.ts'
import { ask, startTarget, stopsOf, stopTarget, usageOf } from './target.ts'

const [rounds = 3, seconds = 10] = process.argv.slice(2).map(Number)
const WARM_S = 8
/** What a load leaves to be written is written. */
const SETTLE_MS = 2_000

const paths = someCnpjs(2_000).map((cnpj) => `/api/consultar-cnpj?cnpj=${cnpj}`)
const folder = mkdtempSync(join(tmpdir(), 'bench-sums-'))
const settings = { LOG_LEVEL: 'silent', PORT: '0', SEFAZ_MONITOR: 'desligado' }

async function measure(name: string, databaseUrl?: string): Promise<void> {
  const DATA_DIR = join(folder, name)
  const env = { ...settings, DATA_DIR, ...(databaseUrl && { DATABASE_URL: databaseUrl }) }
  const target = await startTarget(name, 'http-full.ts', env)
  const databaseCpu = databaseUrl ? await openDatabaseCpu(databaseUrl) : () => 0
  /** PostgreSQL learns by itself what a table holds, but only after a minute. */
  const analyze = async (): Promise<void> => {
    if (!databaseUrl) return
    const client = new pg.Client({ connectionString: databaseUrl })
    await client.connect()
    await client.query('analyze')
    await client.end()
  }
  await load({ target, paths }, WARM_S)
  // What warms it up is in no round.
  await ask(target, { sum: true })
  const alone: { cpu: number; stop: number }[] = []
  const beside: Round[] = []
  for (let round = 0; round < rounds; round++) {
    const { requests } = await load({ target, paths }, seconds)
    await analyze()
    await new Promise((resolve) => setTimeout(resolve, SETTLE_MS))
    await stopsOf(target)
    const [node, database] = [await usageOf(target), databaseCpu()]
    await ask(target, { sum: true })
    const ms = (await usageOf(target)).cpuMs - node.cpuMs + databaseCpu() - database
    alone.push({ cpu: (1000 * ms) / requests, stop: (await stopsOf(target)).longestMs })
    await load({ target, paths }, seconds)
    const loading = load({ target, paths }, seconds)
    await ask(target, { sum: true })
    beside.push(await loading)
    // What came after it would count for the next round's.
    await ask(target, { sum: true })
  }
  report(`${name}: CPU of the sums`, median(alone.map(({ cpu }) => cpu)), 'µs a charge')
  report(`${name}: longest stop of the loop`, median(alone.map(({ stop }) => stop)), 'ms')
  report(`${name}: p99 beside the sums`, median(beside.map(({ p99 }) => p99)), 'ms')
  report(`${name}: longest stop beside a load`, median(beside.map(({ stops }) => stops.longestMs)), 'ms')
  await stopTarget(target)
}

console.log(`${machineLine()}; ${rounds} rounds, charges of ${seconds} s in each sum`)
await measure('SQLite')
const postgres = await startPostgres()
await measure('PostgreSQL', await postgres.createDatabase())
await postgres.stop()
rmSync(folder, { recursive: true, force: true })
