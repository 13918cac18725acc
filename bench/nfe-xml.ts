/**
 * POST /api/consultar-nfe-xml and the simulator on one machine: CPU of a call (three requests, one, cached)
 * and its parts, requests/s, memory, an independent client's CPU; clocks move as a holder has 20 queries an
 * hour. Usage: node bench/nfe-xml.ts [rounds] [requests of the memory run]
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Agent, request } from 'undici'
import { report } from './figures.ts'
import { machineLine, median } from './machine.ts'
import { type Flow, type Kind, openNotes } from './nfe-note.ts'
import { measureParts } from './nfe-part.ts'
import { inParallel } from './parallel.ts'
import { ask, setClock, startTarget, stopTarget, type Target, usageOf, within } from './target.ts'

const [rounds = 5, memoryRequests = 0] = process.argv.slice(2).map(Number)
const CONNECTIONS = 50
/** No round begins later: a slow machine makes fewer, and says how many. */
const ROUNDS_MS = 75_000
/** The authority's hour is over, and our extra minute too. */
const STEP_MS = 65 * 60_000

const folder = mkdtempSync(join(tmpdir(), 'bench-nfe-'))
const simulator = await startTarget('simulator', 'nfe-simulator.ts', { DATA_DIR: join(folder, 'simulador') })
const settings = {
  LOG_LEVEL: 'silent',
  PORT: '0',
  DATA_DIR: folder,
  SIMULATOR_URL: simulator.address,
  ...(process.env.NODE_OPTIONS && { NODE_OPTIONS: process.env.NODE_OPTIONS }),
}
// The first start imports the sample base, and its process stays large.
await stopTarget(await startTarget('first start', 'http-full.ts', settings))
const service = await startTarget('service', 'http-full.ts', settings)
const { gateway, ca } = Object(await (await fetch(`${simulator.address}/ambiente.json`)).json())
const peer = await startTarget('node-mde', 'nfe-peer.ts', { CA: ca, PORT: String(gateway.port) })

const notes = await openNotes(simulator.address)
let aheadMs = 0
/** Notes for one round, an hour after the last. */
async function nextRound(kind: Kind): Promise<Flow[]> {
  aheadMs += STEP_MS
  await Promise.all([simulator, service].map((target) => setClock(target, aheadMs)))
  return notes.round(kind)
}

const dispatcher = new Agent({ connections: CONNECTIONS })
let asked = 0

/**
 * Asks the service for a note as one of its accounts. Gives the time in ms, and throws for any answer but the
 * note.
 */
async function post({ chave, pfx, senha, manifestacao }: Flow, cached: boolean): Promise<number> {
  asked += 1
  const key = service.keys[asked % service.keys.length] ?? ''
  const started = performance.now()
  const asking = request(`${service.address}/api/consultar-nfe-xml`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-key': key },
    body: JSON.stringify({ chave, certificado: pfx, senha }),
    dispatcher,
  })
  const { statusCode, body } = await within(`the service, note ${chave}`, asking)
  const text = await body.text()
  const ms = performance.now() - started
  const { resultados } = Object(JSON.parse(text))
  const { status, xml, from_cache, manifestacao: did } = Object(resultados?.[0])
  const isNote = status === 'ok' && String(xml).includes(`Id="NFe${chave}"`)
  if (statusCode !== 200 || !isNote || from_cache !== cached || did !== (cached ? null : manifestacao))
    throw new Error(`${statusCode}: ${text.slice(0, 1000)}`)
  return ms
}

type Round = { cpuMs: number; rps: number; times: number[] }

/** Our CPU of each request of a round, and the time of each. */
async function load(flows: readonly Flow[], { atOnce = CONNECTIONS, cached = false } = {}): Promise<Round> {
  const times: number[] = []
  const [before, started] = [await usageOf(service), performance.now()]
  await inParallel(flows, atOnce, async (flow) => void times.push(await post(flow, cached)))
  const seconds = (performance.now() - started) / 1000
  const cpuMs = ((await usageOf(service)).cpuMs - before.cpuMs) / flows.length
  return { cpuMs, rps: flows.length / seconds, times }
}

/** The CPU of the independent client for each flow of a round. */
async function loadPeer(flows: readonly Flow[]): Promise<number> {
  const before = await usageOf(peer)
  const { error } = Object(await ask(peer, { flows, atOnce: CONNECTIONS }))
  if (error) throw new Error(`node-mde: ${error}`)
  return ((await usageOf(peer)).cpuMs - before.cpuMs) / flows.length
}

function tell(name: string, measured: readonly Round[]): void {
  const times = measured.flatMap((round) => round.times).sort((a, b) => a - b)
  const percentile = (part: number) => Math.round(times[Math.floor(times.length * part)] ?? 0)
  const say = (what: string, value: number, unit: string): void => report(`${name}: ${what}`, value, unit)
  say('CPU', median(measured.map(({ cpuMs }) => cpuMs)), 'ms a call')
  say('requests', median(measured.map(({ rps }) => rps)), 'a second')
  say('p50', percentile(0.5), 'ms')
  say('p99', percentile(0.99), 'ms')
}

/**
 * Measures each kind of call (query, Ciência, query; one query; from the cache) under load and alone, and the
 * independent client in the same rounds. Each answer is checked.
 */
async function measureService(): Promise<void> {
  const measured: Record<'ciencia' | 'direta' | 'cache' | 'alone' | 'aloneDireta', Round[]> = {
    ciencia: [],
    direta: [],
    cache: [],
    alone: [],
    aloneDireta: [],
  }
  const theirs: number[] = []
  for (const kind of ['ciencia', 'direta'] as const) await load(await nextRound(kind))
  await loadPeer(await nextRound('ciencia'))
  const ends = performance.now() + ROUNDS_MS
  for (let round = 0; round < rounds && (round === 0 || performance.now() < ends); round++) {
    const flows = await nextRound('ciencia')
    measured.ciencia.push(await load(flows))
    measured.cache.push(await load([...flows, ...flows], { cached: true }))
    theirs.push(await loadPeer(await nextRound('ciencia')))
    measured.direta.push(await load(await nextRound('direta')))
    measured.alone.push(await load((await nextRound('ciencia')).slice(0, 50), { atOnce: 1 }))
    measured.aloneDireta.push(await load((await nextRound('direta')).slice(0, 50), { atOnce: 1 }))
  }
  console.log(`  ${theirs.length} of ${rounds} rounds`)
  tell('query, Ciência, query', measured.ciencia)
  tell('query, Ciência, query, one at a time', measured.alone)
  tell('one query', measured.direta)
  tell('one query, one at a time', measured.aloneDireta)
  tell('from the cache', measured.cache)
  const ratios = theirs.map((cpuMs, round) => cpuMs / (measured.ciencia[round]?.cpuMs ?? 0))
  report('node-mde, the same three requests: CPU', median(theirs), 'ms a flow')
  report('node-mde, CPU over ours', median(ratios), '')
}

async function measureMemory(): Promise<void> {
  const resident: string[] = []
  let [done, part] = [0, 1]
  while (done < memoryRequests) {
    for (const kind of ['ciencia', 'direta'] as const) {
      const flows = await nextRound(kind)
      await load(flows)
      done += flows.length
    }
    if (done < (part * memoryRequests) / 10) continue
    part += 1
    const { rssMb, heapMb } = await usageOf(service, 'live')
    resident.push(`${rssMb} (${heapMb})`)
  }
  console.log(
    `memory (and live heap) after each tenth of ${memoryRequests} requests, MB: ${resident.join(', ')}`,
  )
}

async function stop(targets: readonly Target[]): Promise<void> {
  await dispatcher.close()
  await Promise.all(targets.map(stopTarget))
  rmSync(folder, { recursive: true, force: true })
}

console.log(`${machineLine()}; ${CONNECTIONS} connections, ${rounds} rounds`)
const [first] = await nextRound('direta')
if (!first) throw new Error('there are no notes')
for (const { name, cpuMs, ms } of await measureParts(simulator.address, first))
  console.log(`  ${name}: ${cpuMs.toFixed(2)} ms of CPU, takes ${ms.toFixed(2)} ms`)
await measureService()
if (memoryRequests > 0) await measureMemory()
await stop([service, peer, simulator])
