/**
 * GET /api/v1/sefaz/status whole, for known keys of many accounts, against a bare Fastify route that returns
 * a string of the same size. `node bench/monitor.ts [rounds] [seconds]`.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import autocannon from 'autocannon'
import { machineLine, median } from './machine.ts'
import { startTarget, stopTarget, type Target } from './target.ts'

const PATH = '/api/v1/sefaz/status'
const CONNECTIONS = 50
const [rounds = 7, seconds = 4] = process.argv.slice(2).map(Number)

type Round = { rps: number; p50: number; p99: number }

async function measure({ address, keys }: Target, duration: number): Promise<Round> {
  const result = await autocannon({
    url: address,
    connections: CONNECTIONS,
    duration,
    requests: keys.map((key) => ({ method: 'GET', path: PATH, headers: { 'X-API-Key': key } })),
  })
  if (result.non2xx > 0 || result.errors > 0)
    throw new Error(`${result.non2xx} refused, ${result.errors} failed`)
  return { rps: result.requests.average, p50: result.latency.p50, p99: result.latency.p99 }
}

const folder = mkdtempSync(join(tmpdir(), 'bench-monitor-'))
const env = { LOG_LEVEL: 'silent', PORT: '0', SEFAZ_MONITOR: 'desligado', BOARD: '1', DATA_DIR: folder }
const full = await startTarget('SQLite', 'http-full.ts', env)
const headers = { 'X-API-Key': full.keys[0] ?? '' }
const body = await (await fetch(full.address + PATH, { headers })).text()
const bare = await startTarget('bare Fastify', 'monitor-bare.ts', { BODY: body })
const everything = [bare, full]

console.log(
  `${machineLine()}; ${CONNECTIONS} connections, ${full.keys.length} accounts, ${rounds} rounds of ${seconds} s in turn, answer of ${body.length} bytes`,
)
const measured = new Map<string, Round[]>(everything.map(({ name }) => [name, []]))
for (const target of everything) await measure(target, 3)
for (let round = 0; round < rounds; round++)
  // The order turns, because the first finds the machine as others left it.
  for (const target of round % 2 ? everything.toReversed() : everything)
    measured.get(target.name)?.push(await measure(target, seconds))
const rates = (name: string) => (measured.get(name) ?? []).map(({ rps }) => rps)
console.table(
  everything.map(({ name }) => {
    const all = measured.get(name) ?? []
    const ratios = rates(name).map((rps, round) => rps / (rates(bare.name)[round] ?? 1))
    return {
      target: name,
      'requests/s': Math.round(median(rates(name))),
      'of bare': median(ratios).toFixed(3),
      'least, most': `${Math.min(...ratios).toFixed(3)}, ${Math.max(...ratios).toFixed(3)}`,
      'p50 ms': median(all.map(({ p50 }) => p50)),
      'p99 ms': median(all.map(({ p99 }) => p99)),
    }
  }),
)
for (const target of everything) await stopTarget(target)
rmSync(folder, { recursive: true, force: true })
