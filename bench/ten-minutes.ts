/**
 * The service under load for minutes: GET /api/consultar-cnpj, companies of the sample by turns, 1,000
 * accounts, 50 connections. It prints the p99 and the stops of the event loop of each minute, then how many
 * stops were how long. Usage: node bench/ten-minutes.ts [minutes] [--postgres]
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { startPostgres } from '../test/kit/postgres.ts'
import { load, type Round } from './by-turns.ts'
import { someCnpjs } from './companies.ts'
import { report } from './figures.ts'
import { machineLine, median } from './machine.ts'
import { STOPS_MS } from './probe.ts'
import { startTarget, stopTarget } from './target.ts'

const [minutes = 10] = process.argv.slice(2).map(Number).filter(Number.isFinite)
const isPostgres = process.argv.includes('--postgres')
const WARM_S = 5
/** Parts of a minute are for trying it. */
const seconds = Math.min(60, minutes * 60)

const folder = mkdtempSync(join(tmpdir(), 'bench-minutes-'))
const postgres = isPostgres ? await startPostgres() : undefined
const name = isPostgres ? 'PostgreSQL' : 'SQLite'
const target = await startTarget(name, 'http-full.ts', {
  LOG_LEVEL: 'silent',
  PORT: '0',
  DATA_DIR: folder,
  ...(postgres && { DATABASE_URL: await postgres.createDatabase() }),
})
const paths = someCnpjs(2_000).map((cnpj) => `/api/consultar-cnpj?cnpj=${cnpj}`)
console.log(`${machineLine()}; ${name}, ${target.keys.length} accounts, ${minutes} minutes`)
await load({ target, paths }, WARM_S)
const rounds: Round[] = []
for (let minute = 0; minute < minutes; minute++) {
  const round = await load({ target, paths }, seconds)
  rounds.push(round)
  const { p99, rps, stops } = round
  console.log(
    `minute ${minute + 1}: ${Math.round(rps)}/s, p99 ${p99} ms, longest stop ${stops.longestMs.toFixed(1)} ms, load ${loadavg()[0]?.toFixed(1)}`,
  )
}
const totalOf = (of: (round: Round) => number): number => rounds.reduce((sum, round) => sum + of(round), 0)
const upTo = STOPS_MS.map((_, at) => totalOf(({ stops }) => stops.upTo[at] ?? 0))
const looks = totalOf(({ stops }) => stops.looks)
console.table(
  [...STOPS_MS, Number.POSITIVE_INFINITY].map((ms, at) => ({
    'stops up to, ms': ms,
    looks: (upTo[at] ?? looks) - (upTo[at - 1] ?? 0),
  })),
)
report(`${name}: p99, median of the minutes`, median(rounds.map(({ p99 }) => p99)), 'ms')
report(`${name}: p99, worst minute`, Math.max(...rounds.map(({ p99 }) => p99)), 'ms')
report(`${name}: longest stop of the loop`, Math.max(...rounds.map(({ stops }) => stops.longestMs)), 'ms')
report(`${name}: stops over 8 ms`, looks - (upTo[STOPS_MS.indexOf(8)] ?? looks), 'in all')
await stopTarget(target)
await postgres?.stop()
rmSync(folder, { recursive: true, force: true })
