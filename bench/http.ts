/**
 * The whole of GET /api/consultar-cnpj (key, limit, durable charge, log off) in turn with a bare Fastify
 * route that answers the same bytes, 50 connections, one process each. Usage: node bench/http.ts [rounds]
 * [seconds]
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import autocannon from 'autocannon'
import { startPostgres } from '../test/store/postgres.ts'
import { machineLine, median } from './machine.ts'
import { startTarget, type Target } from './target.ts'

const PATH = '/api/consultar-cnpj?cnpj=33000167000101'
const CONNECTIONS = 50
const [rounds = 5, seconds = 5] = process.argv.slice(2).map(Number)

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

const folder = mkdtempSync(join(tmpdir(), 'bench-http-'))
const postgres = await startPostgres()
const full = { LOG_LEVEL: 'silent', PORT: '0' }
const targets = [
  await startTarget('SQLite', 'http-full.ts', { ...full, DATA_DIR: join(folder, 'sqlite') }),
  await startTarget('PostgreSQL', 'http-full.ts', {
    ...full,
    DATA_DIR: join(folder, 'postgres'),
    DATABASE_URL: await postgres.createDatabase(),
  }),
]
const body = await (
  await fetch(targets[0]?.address + PATH, { headers: { 'X-API-Key': targets[0]?.keys[0] ?? '' } })
).text()
const bare = await startTarget('bare Fastify', 'http-bare.ts', { BODY: body })
const everything = [bare, ...targets]

console.log(
  `${machineLine()}; ${CONNECTIONS} connections, ${rounds} rounds of ${seconds} s in turn, answer of ${body.length} bytes`,
)
const measured = new Map<string, Round[]>(everything.map(({ name }) => [name, []]))
for (const target of everything) await measure(target, 3)
for (let round = 0; round < rounds; round++) {
  for (const target of everything) measured.get(target.name)?.push(await measure(target, seconds))
}
const rates = (name: string) => (measured.get(name) ?? []).map(({ rps }) => rps)
console.table(
  everything.map(({ name }) => {
    const all = measured.get(name) ?? []
    return {
      target: name,
      'requests/s': Math.round(median(rates(name))),
      'of bare': median(rates(name).map((rps, round) => rps / (rates(bare.name)[round] ?? 1))).toFixed(3),
      'p50 ms': median(all.map(({ p50 }) => p50)),
      'p99 ms': median(all.map(({ p99 }) => p99)),
    }
  }),
)
for (const { child } of everything) child.kill('SIGTERM')
await postgres.stop()
rmSync(folder, { recursive: true, force: true })
