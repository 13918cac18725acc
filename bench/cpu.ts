/**
 * CPU of the server for a request of each kind: `node bench/cpu.ts [rounds]`. `KIND=` chooses kinds.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import autocannon from 'autocannon'
import { dvCnpj } from '../simulator/documento/documento.ts'
import { report } from './figures.ts'
import { machineLine, median } from './machine.ts'
import { startTarget, stopTarget, type Target, usageOf } from './target.ts'

const CONNECTIONS = 10
const [rounds = '25'] = process.argv.slice(2)

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
const env = {
  LOG_LEVEL: 'silent',
  PORT: '0',
  ACCOUNTS: '400',
  CCC: 'nenhum',
  TRUST_PROXY: 'true',
  DATA_DIR: folder,
}
console.log(`${machineLine()}; ${rounds} rounds, CPU of the server`)
// The first start imports the sample base, and its process stays large.
await stopTarget(await startTarget('first start', 'http-full.ts', env))
const target = await startTarget('service', 'http-full.ts', env)
for (const kind of kinds) {
  await round(target, kind)
  const cpu: number[] = []
  for (let at = 0; at < Number(rounds); at++) cpu.push(await round(target, kind))
  report(kind.name, median(cpu), 'µs a request')
  report(`${kind.name}, least`, Math.min(...cpu), 'µs a request')
}
report('resident memory at the end', (await usageOf(target)).rssMb, 'MB')
await stopTarget(target)
rmSync(folder, { recursive: true, force: true })
