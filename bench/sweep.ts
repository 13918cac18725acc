/**
 * The service on SQLite under load while calls older than 90 days are deleted, beside the same load without:
 * stops of the event loop and p99. `node bench/sweep.ts [rounds] [calls] [seconds]`
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { load, type Round } from './by-turns.ts'
import { someCnpjs } from './companies.ts'
import { report } from './figures.ts'
import { machineLine, median } from './machine.ts'
import { ask, startTarget, stopTarget } from './target.ts'

const [rounds = 3, calls = 50_000, seconds = 5] = process.argv.slice(2).map(Number)
const WARM_S = 8
/** A deletion that is not over when the load ends goes on without it, so the load begins first. */
const HEAD_START_MS = 500

const folder = mkdtempSync(join(tmpdir(), 'bench-sweep-'))
const target = await startTarget('SQLite', 'http-full.ts', {
  LOG_LEVEL: 'silent',
  PORT: '0',
  SEFAZ_MONITOR: 'desligado',
  DATA_DIR: folder,
})
const paths = someCnpjs(2_000).map((cnpj) => `/api/consultar-cnpj?cnpj=${cnpj}`)
console.log(`${machineLine()}; ${rounds} rounds of ${seconds} s, ${calls} calls to delete in each`)
await load({ target, paths }, WARM_S)

const measured: { alone: Round[]; sweeping: Round[]; ms: number[] } = { alone: [], sweeping: [], ms: [] }
for (let round = 0; round < rounds; round++) {
  measured.alone.push(await load({ target, paths }, seconds))
  await ask(target, { old: calls })
  const loading = load({ target, paths }, seconds)
  await new Promise((resolve) => setTimeout(resolve, HEAD_START_MS))
  const { deleted, ms } = Object(await ask(target, { sweep: true }))
  if (deleted !== calls) throw new Error(`${deleted} of ${calls} calls were deleted`)
  measured.sweeping.push(await loading)
  measured.ms.push(ms)
}

const say = (what: string, of: readonly Round[]): void => {
  report(`${what}: p99`, median(of.map(({ p99 }) => p99)), 'ms')
  report(`${what}: longest stop of the loop`, median(of.map(({ stops }) => stops.longestMs)), 'ms')
}
say('under load', measured.alone)
say('while old calls are deleted', measured.sweeping)
report('deleted', calls / (median(measured.ms) / 1000), 'calls a second')
await stopTarget(target)
rmSync(folder, { recursive: true, force: true })
