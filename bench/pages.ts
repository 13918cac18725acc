/**
 * Measures the pages: the server's time, kept and made anew after a round, what a first visit weighs, and how
 * soon it is usable on a slow line. Usage: node bench/pages.ts [requests] [rounds] [visits]
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseConfig } from '../src/platform/config/config.ts'
import { startServer } from '../src/server.ts'
import { NOW } from '../test/kit/basics.ts'
import { screens, usableIn, visit, weigh } from '../test/kit/browser.ts'
import { EVERY_MS, fillMonitor, rodadaRuim } from '../test/kit/sefaz.ts'
import { machineLine, median } from './machine.ts'

const [requests = 500, rounds = 40, visits = 7] = process.argv.slice(2).map(Number)
const PAGES = [
  '/sefaz/',
  '/sefaz/?doc=cte',
  '/sefaz/sp/',
  '/blog/rejeicoes/',
  '/blog/rejeicoes/?q=chave+de+aceso',
  '/blog/rejeicoes/rejeicao-610-total-da-nf-difere-do-somatorio-dos-valores-que-compoe-o-valor-total-da-nf/',
  '/erros',
  '/documentacao',
]

let agora = NOW.getTime()
const pasta = mkdtempSync(join(tmpdir(), 'bench-pages-'))
const settings = { DATA_DIR: pasta, PORT: '0', LOG_LEVEL: 'silent', SEFAZ_MONITOR: 'desligado' }
const house = await startServer(parseConfig(settings), () => new Date(agora))
await fillMonitor(house, agora)

/** The milliseconds that an answer takes, whole and compressed, as a client of this machine sees it. */
async function time(path: string): Promise<number> {
  const began = performance.now()
  const response = await fetch(house.address + path, { headers: { 'accept-encoding': 'gzip' } })
  await response.arrayBuffer()
  if (!response.ok) throw new Error(`${path}: ${response.status}`)
  return performance.now() - began
}

const novaRodada = (): Promise<boolean> => {
  agora += EVERY_MS
  return house.rooms.sefaz.monitor.keep(rodadaRuim(agora - 5_000))
}

const p95 = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length * 0.95)] ?? 0
const told = (values: readonly number[]): string =>
  `p50 ${median(values).toFixed(1)}, p95 ${p95(values).toFixed(1)} ms`

/** A first visit each: nothing is kept from the one before. */
async function visitAnew<T>(measure: (page: Parameters<typeof weigh>[0]) => Promise<T>): Promise<T> {
  await using visitor = await visit(screens.phone)
  return await measure(await visitor.newPage())
}

console.log(`${machineLine()}; ${requests} requests, ${rounds} rounds, ${visits} visits of a page`)
for (const path of PAGES) {
  await time(path)
  const kept: number[] = []
  for (let i = 0; i < requests; i++) kept.push(await time(path))
  const anew: number[] = []
  for (let i = 0; path.startsWith('/sefaz') && i < rounds; i++) {
    await novaRodada()
    anew.push(await time(path))
  }
  const { bytes } = await visitAnew((page) => weigh(page, house.address + path))
  const painted: number[] = []
  const usable: number[] = []
  for (let i = 0; i < visits; i++) {
    const { paintedMs, usableMs } = await visitAnew((page) => usableIn(page, house.address + path))
    painted.push(paintedMs)
    usable.push(usableMs)
  }
  console.log(path)
  console.log(`  server, kept: ${told(kept)}${anew.length > 0 ? `; made anew: ${told(anew)}` : ''}`)
  console.log(`  first visit: ${(bytes / 1000).toFixed(1)} kB on the wire`)
  console.log(
    `  on 1.6 Mbit/s and 150 ms: painted ${median(painted).toFixed(0)} ms, usable ${median(usable).toFixed(0)} ms, at most ${Math.max(...usable).toFixed(0)}`,
  )
}
await (await visit()).browser()?.close()
await house.close()
rmSync(pasta, { recursive: true })
