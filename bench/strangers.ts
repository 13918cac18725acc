/**
 * What one stranger does to the others: `/health` alone, beside a client that asks for it without a
 * pause, and while one client searches the catalogue, filters a log of 120,000 calls, or sends hostile
 * notes. Usage: node bench/strangers.ts [rounds] [seconds] [--postgres] [attack]
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { Agent, request } from 'undici'
import { startPostgres } from '../test/kit/postgres.ts'
import { machineLine, median } from './machine.ts'
import { setClock, startTarget } from './target.ts'

const onPostgres = process.argv.includes('--postgres')
const [rounds = 3, seconds = 4] = process.argv.slice(2).map(Number).filter(Number.isFinite)
/** The beginning of the name of the one attack that is measured; all if left out. */
const only = process.argv.slice(2).find((given) => /^[a-z]/.test(given)) ?? ''
const CALLS = 120_000
const PAUSE_MS = 3
const MINUTE_MS = 61_000

const nota = readFileSync(new URL('../data/rejeicoes/notas/venda-interna.xml', import.meta.url), 'utf8')
const palavras =
  'informadoo diferentte calculadoo valorr notaa fiscall certificadoo vencidoo emitentte'.split(' ')

const DATA_DIR = mkdtempSync(join(tmpdir(), 'bench-strangers-'))
const postgres = onPostgres ? await startPostgres() : undefined
const env = {
  DATA_DIR,
  PORT: '0',
  LOG_LEVEL: 'silent',
  SEFAZ_MONITOR: 'desligado',
  CALLS: String(CALLS),
  ...(postgres ? { DATABASE_URL: await postgres.createDatabase(), SERVER_SECRET: 'x'.repeat(40) } : {}),
}
const target = await startTarget('service', 'strangers-full.ts', env)
const [key = '', cookie = ''] = target.keys
const dispatcher = new Agent({ connections: 1 })

type Asked = { path: string; method?: 'POST'; headers?: Record<string, string>; body?: string }

async function ask({ path, ...options }: Asked, through: Agent): Promise<number> {
  const began = performance.now()
  const { statusCode, body } = await request(target.address + path, { ...options, dispatcher: through })
  await body.dump({ limit: 64 * 1024 * 1024 })
  if (statusCode >= 400) throw new Error(`${path}: ${statusCode}`)
  return performance.now() - began
}

const p99 = (times: number[]): number => times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.99)] ?? 0

/** The others' times, while somebody attacks or nobody does. */
async function measure(
  probe: Asked,
  attack?: (at: number) => Promise<unknown>,
): Promise<{ p99: number; attacks: number }> {
  let isOver = false
  let attacks = 0
  const attacking = (async () => {
    while (attack && !isOver) {
      await attack(attacks)
      attacks++
    }
  })()
  const times: number[] = []
  const ends = performance.now() + seconds * 1000
  while (performance.now() < ends) {
    times.push(await ask(probe, dispatcher))
    await wait(PAUSE_MS)
  }
  isOver = true
  await attacking
  return { p99: p99(times), attacks }
}

const own = new Agent({ connections: 1 })
let minutes = 0
const form = (xml: string): Asked => ({
  path: '/blog/rejeicoes/diagnosticar',
  method: 'POST',
  headers: { 'content-type': 'application/x-www-form-urlencoded', 'sec-fetch-site': 'same-origin' },
  body: new URLSearchParams({ xml }).toString(),
})
const hostil = nota.replace('<total>', `${'<det/>'.repeat(60_000)}<total>`)

/** Words with errors in them. Each question is a new one. */
const outraPergunta = (at: number): string =>
  encodeURIComponent(`${at} ${palavras.map((palavra, i) => palavra.slice(0, 5 + ((at >> i) & 3))).join(' ')}`)
const zipped = { 'accept-encoding': 'gzip' }

const attacks: Record<string, (at: number) => Promise<unknown>> = {
  'search of the catalogue': (at) => ask({ path: `/blog/rejeicoes/busca.json?q=${outraPergunta(at)}` }, own),
  'search page of the catalogue': (at) =>
    ask({ path: `/blog/rejeicoes/?q=${outraPergunta(at)}`, headers: zipped }, own),
  'search of the guide': (at) => ask({ path: `/docs/busca/?q=${outraPergunta(at)}`, headers: zipped }, own),
  'log by a rare state': () => ask({ path: '/painel/registro/?uf=BR', headers: { cookie } }, own),
  'notes of 60,000 equal elements': async (at) => {
    // The form takes ten a minute of an address.
    if (at % 10 === 0) await setClock(target, ++minutes * MINUTE_MS)
    return ask(form(hostil), own)
  },
}

console.log(
  `${machineLine()}; ${onPostgres ? 'PostgreSQL' : 'SQLite'}, ${rounds} rounds of ${seconds} s by turns`,
)
const health: Asked = { path: '/health' }
const diagnosis: Asked = {
  path: '/api/v1/rejeicoes/diagnosticar',
  method: 'POST',
  headers: { 'content-type': 'application/json', 'x-api-key': key },
  body: JSON.stringify({ xml: nota }),
}
// Both threads of the diagnosis are there, and know the schema.
for (let i = 0; i < 10; i++) await Promise.all([ask(diagnosis, own), ask(diagnosis, dispatcher)])
for (const [name, attack] of Object.entries(attacks).filter(([name]) => name.startsWith(only))) {
  const probes = {
    '/health': health,
    ...(name.startsWith('notes') && { 'the diagnosis of an account': diagnosis }),
  }
  for (const [probed, probe] of Object.entries(probes)) {
    const pairs: { alone: number; beside: number; under: number; attacks: number }[] = []
    for (let round = 0; round < rounds; round++) {
      const alone = await measure(probe)
      const beside = await measure(probe, () => ask(health, own))
      const under = await measure(probe, attack)
      pairs.push({ alone: alone.p99, beside: beside.p99, under: under.p99, attacks: under.attacks })
    }
    const of = (part: keyof (typeof pairs)[number]): string =>
      median(pairs.map((pair) => pair[part])).toFixed(1)
    const ratio = (to: 'alone' | 'beside'): string =>
      median(pairs.map((pair) => pair.under / pair[to])).toFixed(1)
    console.log(
      `${name}: p99 of ${probed} ${of('under')} ms; alone ${of('alone')} ms (× ${ratio('alone')}), ` +
        `beside a client that asks /health without a pause ${of('beside')} ms (× ${ratio('beside')}); ${of('attacks')} attacks a round`,
    )
  }
}
target.child.kill('SIGTERM')
await new Promise((resolve) => target.child.once('exit', resolve))
await postgres?.stop()
rmSync(DATA_DIR, { recursive: true, force: true })
process.exit()
