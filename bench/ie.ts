/**
 * GET /api/consultar and the simulator on one machine: uncached look-ups of new documents over mutual TLS,
 * then cached ones against a bare Fastify route; our CPU, memory, connections, TLS sessions. Usage: node
 * bench/ie.ts [rounds] [seconds] [lookups of the memory run]
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import autocannon from 'autocannon'
import { dvCnpj } from '../simulator/documento/documento.ts'
import { compareByTurns } from './by-turns.ts'
import { report } from './figures.ts'
import { machineLine, median } from './machine.ts'
import { startTarget, stopTarget, type Target, usageOf } from './target.ts'

const [rounds = 3, seconds = 5, lookups = 50_000] = process.argv.slice(2).map(Number)
const CONNECTIONS = 50
const UFS = ['AM', 'BA', 'GO', 'MG', 'MS', 'MT', 'PE', 'PR', 'RS', 'SP']

let asked = 0
/** A question that nobody has asked: the next CNPJ, the next state. */
function nextPath(): string {
  asked += 1
  const doze = `${String(10_000_000 + asked)}0001`
  return `/api/consultar?uf=${UFS[asked % UFS.length]}&cnpj=${doze}${dvCnpj(doze)}`
}

type Load = { duration: number } | { amount: number }
type Round = { rps: number; p99: number; done: number }

async function load(
  { name, address, keys }: Target,
  path: () => string,
  how: Load,
  most = CONNECTIONS,
): Promise<Round> {
  // It refuses more connections than requests.
  const connections = 'amount' in how ? Math.min(most, how.amount) : most
  const requests = keys.map((key) => ({
    method: 'GET' as const,
    headers: { 'X-API-Key': key },
    setupRequest: (request: object) => ({ ...request, path: path() }),
  }))
  // Without `bailout` it asks a server that has ended for ever.
  const result = await autocannon({ url: address, connections, requests, bailout: 1, ...how })
  if (result.non2xx > 0 || result.errors > 0)
    throw new Error(
      `${name}, ${path()}: ${result.non2xx} refused, ${result.errors} failed, of them ${result.timeouts} without an answer in 10 s`,
    )
  return { rps: result.requests.average, p99: result.latency.p99, done: result.requests.total }
}

/** What the simulator counted so far. */
async function wire(
  simulador: string,
): Promise<{ conexoes: number; completos: number; retomados: number; pedidos: number }> {
  const reply = await fetch(`${simulador}/estatisticas.json`)
  const { conexoes, handshakes, pedidos } = Object(await reply.json())
  const total = Object.values<number>(pedidos).reduce((sum, count) => sum + count, 0)
  return { conexoes, ...handshakes, pedidos: total }
}

const folder = mkdtempSync(join(tmpdir(), 'bench-ie-'))
const settings = { LOG_LEVEL: 'silent', PORT: '0', DATA_DIR: folder }
// The first start imports the sample base, and its process stays large.
await stopTarget(await startTarget('first start', 'http-full.ts', settings))
const full = await startTarget('service', 'http-full.ts', settings)
const { simulador = '' } = full
console.log(`${machineLine()}; ${CONNECTIONS} connections, ${rounds} rounds of ${seconds} s`)

await load(full, nextPath, { duration: 3 })
const uncached: (Round & { cpuMs: number })[] = []
for (let round = 0; round < rounds; round++) {
  const before = await usageOf(full)
  const measured = await load(full, nextPath, { duration: seconds })
  const after = await usageOf(full)
  uncached.push({ ...measured, cpuMs: (after.cpuMs - before.cpuMs) / measured.done })
}
const alone = await usageOf(full)
const oneByOne = await load(full, nextPath, { amount: 2_000 }, 1)
const aloneMs = ((await usageOf(full)).cpuMs - alone.cpuMs) / oneByOne.done
const cpuMs = median(uncached.map((round) => round.cpuMs))
report('uncached: requests', median(uncached.map(({ rps }) => rps)), 'a second')
report('uncached: p99', median(uncached.map(({ p99 }) => p99)), 'ms')
report('uncached: CPU', cpuMs, 'ms a look-up')
report('uncached, one at a time: CPU', aloneMs, 'ms a look-up')

const start = await wire(simulador)
const resident: string[] = []
for (let part = 0; part < 5; part++) {
  await load(full, nextPath, { amount: Math.ceil(lookups / 5) })
  const { rssMb, heapMb } = await usageOf(full)
  resident.push(`${rssMb} (heap ${heapMb})`)
}
const end = await wire(simulador)
console.log(`memory after each fifth of ${lookups} look-ups, MB: ${resident.join(', ')}`)
console.log(
  `  on the wire: ${end.pedidos - start.pedidos} queries, ${end.conexoes - start.conexoes} new connections, ` +
    `${end.completos - start.completos} full handshakes, ${end.retomados - start.retomados} resumed`,
)

const PATH = '/api/consultar?uf=SP&cnpj=99044220000184'
const key = full.keys[0] ?? ''
await fetch(full.address + PATH, { headers: { 'X-API-Key': key } })
const body = await (await fetch(full.address + PATH, { headers: { 'X-API-Key': key } })).text()
const bare = await startTarget('bare', 'http-bare.ts', { BODY: body, ROUTE: '/api/consultar' })
const everything = [bare, full].map((target) => ({ target, paths: [PATH] }))
await compareByTurns(everything, {
  rounds,
  seconds,
  about: `answer of ${body.length} bytes`,
  name: 'cached, ',
})
await Promise.all([full, bare].map(stopTarget))
rmSync(folder, { recursive: true, force: true })
