/**
 * CPU of the server for a request of each kind, alone or beside another tree: `node bench/cpu.ts [rounds]
 * [folder=V8 flags,...]`. `KIND=` chooses kinds, `STARTS=` starts the servers so often; bench/README.md says
 * how to read it.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import autocannon from 'autocannon'
import { FLAGS } from '../bin/memory.js'
import { dvCnpj } from '../simulator/documento/documento.ts'
import { machineLine, median } from './machine.ts'
import { startTarget, stopTarget, type Target, usageOf } from './target.ts'

const CONNECTIONS = 10
const [rounds = '25', ...others] = process.argv.slice(2)
const here = resolve(import.meta.dirname, '..')

let asked = 0
/** A CNPJ that nobody has asked about. */
function newCnpj(): string {
  asked += 1
  const doze = `${String(30_000_000 + asked)}0001`
  return doze + dvCnpj(doze)
}

/** A kind of request: its path, the status of its answer, how many are sent in a round. */
type Kind = { name: string; path: () => string; status: number; amount: number; key?: string }

const kinds: Kind[] = [
  {
    name: 'consultar, cached',
    path: () => '/api/consultar?uf=SP&cnpj=99044220000184',
    status: 200,
    amount: 500,
  },
  { name: 'consultar-cnpj', path: () => '/api/consultar-cnpj?cnpj=33000167000101', status: 200, amount: 500 },
  { name: 'error 400', path: () => '/api/consultar?uf=SP&cnpj=1', status: 400, amount: 500 },
  // An unknown key.
  { name: 'error 401', path: () => '/api/consultar?uf=SP&cnpj=1', status: 401, amount: 500, key: 'fk_no' },
  {
    name: 'consultar, uncached',
    path: () => `/api/consultar?uf=SP&cnpj=${newCnpj()}`,
    status: 200,
    amount: 100,
  },
  {
    name: 'consultar-ie-todos',
    path: () => `/api/consultar-ie-todos?cnpj=${newCnpj()}`,
    status: 200,
    amount: 5,
  },
].filter(({ name }) => name.includes(process.env.KIND ?? ''))

/** Each request comes from an address of its own: refused keys are counted by it. */
function headersOf(key: string): Record<string, string> {
  addresses += 1
  return {
    'X-API-Key': key,
    'X-Forwarded-For': `10.${addresses >> 16}.${(addresses >> 8) & 255}.${addresses & 255}`,
  }
}
let addresses = 0

/** Sends the requests of a round. Gives the server's CPU of one, in microseconds. */
async function round(target: Target, { name, path, status, amount, key }: Kind): Promise<number> {
  const before = await usageOf(target)
  const { statusCodeStats = {} } = await autocannon({
    url: target.address,
    amount,
    timeout: 60,
    connections: Math.min(CONNECTIONS, amount),
    requests: target.keys.map((own) => ({
      method: 'GET' as const,
      setupRequest: (request: object) => ({ ...request, path: path(), headers: headersOf(key ?? own) }),
    })),
  })
  const answered = Object(statusCodeStats)[status]?.count
  if (answered !== amount)
    throw new Error(
      `${target.name}, ${name}: ${answered} of ${amount} answered ${status}: ${JSON.stringify(statusCodeStats)}`,
    )
  return (((await usageOf(target)).cpuMs - before.cpuMs) * 1000) / amount
}

const folder = mkdtempSync(join(tmpdir(), 'bench-cpu-'))
const trees = [`${here}=${FLAGS.join(',')}`, ...others].map((text, at) => {
  const [place = '', listed = ''] = text.split(/=(.*)/s)
  const flags = listed.split(',').filter((flag) => flag !== '')
  const tree = resolve(place)
  return { tree, flags, at, name: `${tree} ${flags.join(' ')}` }
})
type Tree = (typeof trees)[number]

function startTree({ tree, flags, at, name }: Tree): Promise<Target> {
  const env = {
    LOG_LEVEL: 'silent',
    PORT: '0',
    ACCOUNTS: '400',
    CCC: 'nenhum',
    TRUST_PROXY: 'true',
    DATA_DIR: join(folder, String(at)),
  }
  return startTarget(name, join(tree, 'bench/http-full.ts'), env, flags)
}

const measured = new Map(kinds.map(({ name }) => [name, trees.map((): number[] => [])]))
/** Measures every kind on every tree, by turns. */
async function measureAll(targets: readonly Target[]): Promise<void> {
  for (const kind of kinds) {
    for (const target of targets) await round(target, kind)
    for (let at = 0; at < Number(rounds); at++) {
      // The order turns, because the first finds the machine as others left it.
      const order = [...targets.entries()]
      for (const [tree, target] of at % 2 ? order.toReversed() : order)
        measured.get(kind.name)?.[tree]?.push(await round(target, kind))
    }
  }
}

const starts = Number(process.env.STARTS ?? 1)
console.log(`${machineLine()}; ${starts} starts, ${rounds} rounds in turn, CPU of the server, µs a request`)
// The first start imports the sample base, and its process stays large.
for (const tree of trees) await stopTarget(await startTree(tree))
for (let start = 0; start < starts; start++) {
  const targets: Target[] = []
  for (const tree of trees) targets.push(await startTree(tree))
  await measureAll(targets)
  for (const target of targets) console.log(`${(await usageOf(target)).rssMb} MB at the end: ${target.name}`)
  await Promise.all(targets.map(stopTarget))
}
for (const [kind, cpu] of measured) {
  const [base = []] = cpu
  for (const [at, values] of cpu.entries()) {
    const ratio = median(values.map((value, round) => (base[round] ?? 0) / value))
    console.log(
      `${kind.padEnd(20)} median ${median(values).toFixed(1).padStart(8)}  min ${Math.min(...values)
        .toFixed(1)
        .padStart(8)}` + `  this tree ${ratio.toFixed(3)} of it  ${trees[at]?.name}`,
    )
  }
}
rmSync(folder, { recursive: true, force: true })
