/**
 * Measures the server's time of each page of the dashboard for an account with 1,000,000 calls, and the file
 * of its log. Usage: node bench/dashboard.ts [--postgres] [calls] [requests]
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { parseConfig } from '../src/platform/config/config.ts'
import { startServer } from '../src/server.ts'
import { newConta } from '../test/kit/account.ts'
import { putSample } from '../test/kit/databases.ts'
import { startPostgres } from '../test/kit/postgres.ts'
import { fillMonitor } from '../test/kit/sefaz.ts'
import { fill } from './dashboard-fill.ts'
import { machineLine, median } from './machine.ts'

const onPostgres = process.argv.includes('--postgres')
const [calls = 1_000_000, requests = 60] = process.argv.slice(2).map(Number).filter(Number.isFinite)
const AGORA = Date.parse('2026-11-20T15:00:00Z')

const pasta = mkdtempSync(join(tmpdir(), 'bench-dashboard-'))
const postgres = onPostgres ? await startPostgres() : undefined
const settings = { DATA_DIR: pasta, PORT: '0', LOG_LEVEL: 'silent', SEFAZ_MONITOR: 'desligado' }
await putSample(join(pasta, 'cnpj'))
const house = await startServer(
  parseConfig({
    ...settings,
    ...(postgres ? { DATABASE_URL: await postgres.createDatabase(), SERVER_SECRET: 'x'.repeat(40) } : {}),
  }),
  () => new Date(AGORA),
)
const { db, acessos } = house.rooms.contas
const conta = await newConta(db, 'enterprise', new Date(AGORA - 88 * 86_400_000))
await fillMonitor(house, AGORA)
const filled = performance.now()
const places = await fill(db, conta.id, { count: calls, agora: AGORA })
console.log(
  `${machineLine()}; ${db.dialect}, ${calls} calls written in ${((performance.now() - filled) / 1000).toFixed(0)} s, ${requests} requests of a page`,
)
const { token } = await acessos.open({
  conta_id: conta.id,
  tipo: 'painel',
  agente: 'bench',
  endereco: '127.0.0.1',
})
const headers = { cookie: `acesso=${token}`, 'accept-encoding': 'gzip' }

const deep = places[1] ?? { criado_em: 0, request_id: '' }
const registro = '/painel/registro/'
const PAGES: Record<string, string> = {
  overview: '/painel/',
  'use, 30 days': '/painel/uso/',
  'use, 12 months': '/painel/uso/?periodo=ano',
  'use, a filter': '/painel/uso/?periodo=90&desfecho=falhas&endpoint=/api/consultar',
  'log, first page': registro,
  'log, deep page': `${registro}?antes=${deep.criado_em}_${deep.request_id}`,
  'log, back to newer': `${registro}?depois=${deep.criado_em}_${deep.request_id}`,
  'log, one state': `${registro}?uf=SP`,
  'log, a rare state': `${registro}?uf=BR`,
  'log, a rare code': `${registro}?desfecho=ERRO_INTERNO`,
  'log, a code never met': `${registro}?desfecho=TIPO_NAO_SUPORTADO`,
  'log, a day': `${registro}?dia=2026-10-20&desfecho=falhas`,
  'log, one call': `${registro}${deep.request_id}/`,
  statement: '/painel/extrato/',
  'statement, a month': '/painel/extrato/2026-10/',
  settings: '/painel/configuracoes/',
  ask: '/painel/consultar/',
  'ask about a document': '/painel/consultar/?documento=99001002000162',
  sources: '/painel/fontes/',
}

async function time(path: string): Promise<number> {
  const began = performance.now()
  const response = await fetch(house.address + path, { headers, redirect: 'manual' })
  await response.arrayBuffer()
  if (response.status !== 200) throw new Error(`${path}: ${response.status}`)
  return performance.now() - began
}

const p95 = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length * 0.95)] ?? 0

// As the clock does every few minutes.
await house.rooms.platform.ledger.sumMeses(new AbortController().signal)
const rows = []
for (const [page, path] of Object.entries(PAGES)) {
  const first = await time(path)
  const times: number[] = []
  const cpu = process.cpuUsage()
  for (let i = 0; i < requests; i++) times.push(await time(path))
  const { user, system } = process.cpuUsage(cpu)
  rows.push({
    page,
    'first ms': first.toFixed(1),
    'least ms': Math.min(...times).toFixed(1),
    'p50 ms': median(times).toFixed(1),
    'p95 ms': p95(times).toFixed(1),
    'most ms': Math.max(...times).toFixed(1),
    'CPU ms, with the client': ((user + system) / 1000 / requests).toFixed(1),
  })
}
console.table(rows)

/** Takes the file of the whole log, while another page is asked for all the time. */
async function takeFile(): Promise<void> {
  const delay = monitorEventLoopDelay({ resolution: 5 })
  const others: number[] = []
  const before = process.memoryUsage().rss
  let [bytes, most, done] = [0, before, false]
  delay.enable()
  const began = performance.now()
  const asking = (async () => {
    while (!done) others.push(await time(registro))
  })()
  const { body } = await fetch(`${house.address}${registro}registro.csv`, {
    headers: { cookie: headers.cookie },
  })
  for await (const chunk of body ?? []) {
    bytes += chunk.length
    most = Math.max(most, process.memoryUsage().rss)
  }
  done = true
  await asking
  delay.disable()
  const mb = (size: number): string => (size / 2 ** 20).toFixed(0)
  console.log(
    `the file of the log: ${mb(bytes)} MB in ${((performance.now() - began) / 1000).toFixed(1)} s, memory ${mb(before)} to ${mb(most)} MB at most; meanwhile ${others.length} pages of the log, p50 ${median(others).toFixed(1)}, p95 ${p95(others).toFixed(1)}, most ${Math.max(...others).toFixed(0)} ms; the loop stood still for ${(delay.max / 1e6).toFixed(0)} ms at most`,
  )
}
await takeFile()
await house.close()
await postgres?.stop()
rmSync(pasta, { recursive: true })
