/**
 * `npm run bench -- doors [seconds]`: an account's call and `/health` while a stranger sends bodies of 1
 * MiB to the doors, tries to log in, or scrapes. It prints 99th percentiles, and ratios to the same while
 * as many connections ask for `/health` without end.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { Agent, get } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import autocannon from 'autocannon'
import { machineLine } from './machine.ts'
import { startTarget, stopTarget } from './target.ts'

const seconds = Number(process.argv[2] ?? 2)
const WRONG = { email: 'ninguem@exemplo.com.br', senha: 'não é esta senha' }
const FROM = { 'x-forwarded-for': '198.51.100.1', 'sec-fetch-site': 'same-origin' }

const folder = mkdtempSync(join(tmpdir(), 'bench-doors-'))
const env = { DATA_DIR: folder, PORT: '0', METRICS_PORT: '0', TRUST_PROXY: 'true', ACCOUNTS: '200' }
const quiet = { LOG_LEVEL: 'silent', SEFAZ_MONITOR: 'desligado' }
const target = await startTarget('service', 'http-full.ts', { ...env, ...quiet })
const agent = new Agent({ keepAlive: true })

/** Milliseconds of one request. */
const timeOf = (path: string, headers: Record<string, string> = {}): Promise<number> =>
  new Promise((resolve, reject) => {
    const began = performance.now()
    get(target.address + path, { agent, headers }, (answer) => {
      answer.resume().once('end', () => resolve(performance.now() - began))
    }).once('error', reject)
  })

const p99 = (times: number[]): number =>
  times.toSorted((a, b) => a - b)[Math.floor((times.length - 1) * 0.99)] ?? 0

type Figures = { call: number; health: number }

/** Asks by turns, one request at a time, for some seconds. */
async function measure(): Promise<Figures> {
  const times: Record<keyof Figures, number[]> = { call: [], health: [] }
  const until = performance.now() + seconds * 1000
  for (let n = 0; performance.now() < until; n++) {
    const key = target.keys[n % target.keys.length] ?? ''
    times.call.push(await timeOf('/api/v1/conta', { 'X-API-Key': key }))
    times.health.push(await timeOf('/health'))
  }
  return { call: p99(times.call), health: p99(times.health) }
}

/** The form of the log-in with its token and cookie, as a browser sends it. */
async function formOf(): Promise<{ headers: Record<string, string>; body: string }> {
  const page = await fetch(`${target.address}/entrar/`)
  const _csrf = /name="_csrf" value="([^"]+)"/.exec(await page.text())?.[1] ?? ''
  const cookie = page.headers
    .getSetCookie()
    .map((one) => one.split(';')[0])
    .join('; ')
  const type = { 'content-type': 'application/x-www-form-urlencoded' }
  return { headers: { ...FROM, ...type, cookie }, body: String(new URLSearchParams({ ...WRONG, _csrf })) }
}

type Load = Pick<autocannon.Options, 'url' | 'method' | 'headers' | 'body' | 'connections'>

/** Measures while another thread sends a load. */
async function during(load: Load): Promise<Figures & { answered: number }> {
  const running = autocannon({ ...load, duration: seconds + 1, workers: 1 })
  await timeOf('/health')
  const figures = await measure()
  const { requests } = await running
  return { ...figures, answered: Math.round(requests.average) }
}

const entrar = `${target.address}/entrar/`
const big = (type: string, body: string, connections: number): Load => ({
  url: entrar,
  method: 'POST',
  headers: { ...FROM, 'content-type': type },
  body,
  connections,
})
const json = JSON.stringify({ email: 'x'.repeat(1024 * 1024 - 20) })
const loads: Record<string, Load> = {
  'JSON of 1 MiB to /entrar/, 1 connection': big('application/json', json, 1),
  'the same, 4 connections': big('application/json', json, 4),
  'text of 1 MiB to /entrar/, 4 connections': big('text/plain', json, 4),
  'form of 1 MiB to /entrar/, 4 connections': big('application/x-www-form-urlencoded', json, 4),
  'the same from another site, 4 connections': {
    ...big('application/x-www-form-urlencoded', json, 4),
    headers: { 'x-forwarded-for': FROM['x-forwarded-for'], 'sec-fetch-site': 'cross-site' },
  },
  'refused tries to log in, 4 connections': {
    url: entrar,
    method: 'POST',
    connections: 4,
    ...(await formOf()),
  },
  'scrapes of the figures, 50 connections': { url: `${target.figures}/metrics`, connections: 50 },
}
console.log(`${machineLine()}; ${seconds} s each`)
await measure()
const rows = [{ load: 'none', connections: 0, answered: 0, ...(await measure()) }]
for (const connections of [1, 4, 50]) {
  const reference = { url: `${target.address}/health`, connections }
  rows.push({ load: `GET /health, ${connections}`, connections, ...(await during(reference)) })
}
const references = new Map(rows.map(({ connections, call }) => [connections, call]))
for (const [load, options] of Object.entries(loads))
  rows.push({ load, connections: options.connections ?? 0, ...(await during(options)) })
console.table(
  rows.map(({ load, connections, call, health, answered }) => ({
    load,
    'load/s': answered,
    'call p99 ms': call.toFixed(1),
    '/health p99 ms': health.toFixed(1),
    'call, of the reference': (call / (references.get(connections) ?? call)).toFixed(2),
  })),
)
agent.destroy()
await stopTarget(target)
rmSync(folder, { recursive: true })
