/**
 * GET /api/consultar-ie-todos and the simulator on one machine: a call's time over its slowest state's, our
 * CPU of a call, connections of repeated calls, memory under 200 calls at once. Usage: node bench/fan-out.ts
 * [rounds] [calls one by one] [calls at once]
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { dvCnpj } from '../simulator/documento/documento.ts'
import { comportamentos } from '../simulator/mundo/comportamento.ts'
import { report } from './figures.ts'
import { machineLine, median } from './machine.ts'
import { startTarget, stopTarget, type Target, usageOf } from './target.ts'
import { fromTree } from './tree.ts'

const { ufs } = await fromTree<typeof import('../src/documento/uf.ts')>('src/documento/uf.ts')
const { estados } = await fromTree<typeof import('../src/estados/estados.ts')>('src/estados/estados.ts')

const [rounds = 5, calls = 100, atOnce = 200] = process.argv.slice(2).map(Number)
/** Every state answers about this document two seconds late. */
const LATE = comportamentos.find(({ nome }) => nome === 'demorado')?.documento ?? ''

let asked = 0
/** A CNPJ that nobody has asked about. */
function nextCnpj(): string {
  asked += 1
  const doze = `${String(20_000_000 + asked)}0001`
  return doze + dvCnpj(doze)
}

type Answer = { ms: number; answered: number }

let turn = 0
/** Asks as one of the target's accounts. Gives the time it took, and how many states answered. */
async function ask({ address, keys }: Target, path: string): Promise<Answer> {
  turn += 1
  const started = performance.now()
  const reply = await fetch(address + path, { headers: { 'X-API-Key': keys[turn % keys.length] ?? '' } })
  const { results } = Object(await reply.json())
  if (reply.status !== 200) throw new Error(`${path}: HTTP ${reply.status}`)
  const entries: { source_status?: { status: string } }[] = results
  const answered = entries.filter(({ source_status }) => source_status?.status === 'success').length
  return { ms: performance.now() - started, answered }
}

/** The states whose register can be asked. Nobody knows what the pages of the others want. */
const known = ufs.filter((uf) => estados.get(uf)?.ie.some(({ certeza }) => certeza !== 'desconhecido'))

const todos = (cnpj: string): string => `/api/consultar-ie-todos?cnpj=${cnpj}`

async function withService<T>(run: (target: Target) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'bench-fan-out-'))
  // The national register is left out, since its pace is not ours.
  const settings = { LOG_LEVEL: 'silent', PORT: '0', DATA_DIR: folder, CCC: 'nenhum' }
  // The first start imports the sample base, and its process stays large.
  await stopTarget(await startTarget('first start', 'http-full.ts', settings))
  const target = await startTarget('service', 'http-full.ts', settings)
  try {
    return await run(target)
  } finally {
    await stopTarget(target)
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Connections opened and queries answered so far, as the simulator counts them. */
async function wire({ simulador = '' }: Target): Promise<{ conexoes: number; pedidos: number }> {
  const { conexoes, pedidos } = Object(await (await fetch(`${simulador}/estatisticas.json`)).json())
  return { conexoes, pedidos: Object.values<number>(pedidos).reduce((sum, count) => sum + count, 0) }
}

console.log(machineLine())

const slowest = await withService(async (target) => {
  // The first call of a process (code, connections, handshakes) does not count.
  for (let i = 0; i < 3; i++) await ask(target, todos(nextCnpj()))
  const alone: number[] = []
  for (const uf of known) alone.push((await ask(target, `/api/consultar?uf=${uf}&cnpj=${LATE}`)).ms)
  return Math.max(...alone)
})
const walls: number[] = []
for (let round = 0; round < rounds; round++) {
  walls.push(
    await withService(async (target) => {
      for (let i = 0; i < 3; i++) await ask(target, todos(nextCnpj()))
      return (await ask(target, todos(LATE))).ms
    }),
  )
}
const wall = median(walls)
report('one call, each state 2 s late', wall, 'ms')
report('the slowest state alone', slowest, 'ms')
report('over the slowest state', wall / slowest, '')

await withService(async (target) => {
  for (let i = 0; i < 10; i++) await ask(target, todos(nextCnpj()))
  const [before, opened] = [await usageOf(target), await wire(target)]
  const answers: Answer[] = []
  for (let i = 0; i < calls; i++) answers.push(await ask(target, todos(nextCnpj())))
  const [after, closed] = [await usageOf(target), await wire(target)]
  report('one by one: CPU', (after.cpuMs - before.cpuMs) / calls, 'ms a call')
  report('one by one: time', median(answers.map(({ ms }) => ms)), 'ms a call')
  report('one by one: states that answered, least', Math.min(...answers.map(({ answered }) => answered)), '')
  report('one by one: requests on the wire', (closed.pedidos - opened.pedidos) / calls, 'a call')
  report('one by one: new connections', closed.conexoes - opened.conexoes, 'in all')
  let [peak, done] = [0, false]
  const watch = (async () => {
    while (!done) peak = Math.max(peak, (await usageOf(target)).rssMb)
  })()
  const started = performance.now()
  const crowd = await Promise.all(Array.from({ length: atOnce }, () => ask(target, todos(nextCnpj()))))
  const seconds = (performance.now() - started) / 1000
  done = true
  await watch
  const share = crowd.reduce((sum, { answered }) => sum + answered, 0) / (27 * atOnce)
  report(`${atOnce} at once: time`, seconds, 's')
  report(`${atOnce} at once: resident memory at most`, peak, 'MB')
  report(`${atOnce} at once: states that answered`, share * 100, '%')
})
