/**
 * What a call costs by how a client asks, on SQLite: with a key or a token, with gzip or without, what is
 * free, what is refused; each beside a look-up with a key. `node bench/clients.ts [rounds] [seconds]`.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { load, type Measured, warm } from './by-turns.ts'
import { someCnpjs } from './companies.ts'
import { report } from './figures.ts'
import { machineLine, median } from './machine.ts'
import { startTarget, stopTarget } from './target.ts'

const [rounds = 5, seconds = 3] = process.argv.slice(2).map(Number)

const folder = mkdtempSync(join(tmpdir(), 'bench-clients-'))
const env = { LOG_LEVEL: 'silent', PORT: '0', TOKENS: '1', DATA_DIR: folder }
const target = await startTarget('SQLite', 'http-full.ts', env)
const { keys, tokens } = target
const cnpj = someCnpjs(2_000).map((one) => `/api/consultar-cnpj?cnpj=${one}`)

const gzip = (n: number) => ({ 'X-API-Key': keys[n] ?? '', 'Accept-Encoding': 'gzip, deflate' })
const free = (path: string): Measured => ({ target, paths: [path] })
const refused = (path: string): Measured => ({ target, paths: [path], isRefused: true })

const KEY = 'a look-up with a key'
const asked: Record<string, Measured> = {
  [KEY]: { target, paths: cnpj },
  'a look-up with gzip': { target, paths: cnpj, headersOf: gzip },
  'a look-up with a token': {
    target,
    paths: cnpj,
    headersOf: (n) => ({ Authorization: `Bearer ${tokens[n] ?? ''}` }),
  },
  'a company that is not there': refused('/api/consultar-cnpj?cnpj=11222333000181'),
  'a wrong parameter': refused('/api/consultar-cnpj?cnpj=123'),
  'the account': free('/api/v1/conta'),
  'the sources': free('/api/v1/fontes'),
  'the sources with gzip': { ...free('/api/v1/fontes'), headersOf: gzip },
  'the history of the SEFAZ': free('/api/v1/sefaz/historico'),
}

try {
  console.log(`${machineLine()}; ${keys.length} accounts, ${rounds} rounds of ${seconds} s in turn`)
  const spent = Object.entries(asked).map(([name, one]) => ({ name, one, all: [] as number[] }))
  for (const { one } of spent) await warm(one)
  for (let round = 0; round < rounds; round++)
    for (const { one, all } of round % 2 ? spent.toReversed() : spent)
      all.push((await load(one, seconds)).nodeUs)
  const [base] = spent
  for (const { name, all } of spent) {
    report(`${name}: CPU`, median(all), 'µs a call')
    if (name !== KEY) report(`${name}: of ${KEY}`, median(all.map((us, n) => us / (base?.all[n] ?? us))), '')
  }
} finally {
  await stopTarget(target)
  rmSync(folder, { recursive: true, force: true })
}
