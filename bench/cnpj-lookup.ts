/**
 * Measures look-ups in an imported base, in process, with JSON.stringify of `result`: random existing keys,
 * branches of the company with the most of them, and absent keys. Usage, after cnpj-import.ts: node
 * bench/cnpj-lookup.ts [--pasta ZIPS] [--raiz BASE] [--chaves 200000] [--rodadas 7]
 */
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { openBaseAtiva } from '../src/cnpj/base/versoes.ts'
import { createCsvReader } from '../src/cnpj/importacao/csv.ts'
import { findEntradas, inflateMembro } from '../src/cnpj/importacao/entradas.ts'
import { machineLine, median } from './machine.ts'

const home = join(tmpdir(), 'cnpj-bench')
const { values } = parseArgs({
  options: {
    pasta: { type: 'string', default: join(home, 'zips-1000000') },
    raiz: { type: 'string', default: join(home, 'base-1000000') },
    chaves: { type: 'string', default: '200000' },
    rodadas: { type: 'string', default: '7' },
  },
})

/** A small generator with a seed (mulberry32), so that each run has the same keys. */
function createRandom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), state | 1)
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61)
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296
  }
}

/**
 * Random keys of all establishments (a reservoir), and all keys of the company with the most establishments.
 */
async function sampleChaves(
  pasta: string,
  count: number,
  random: () => number,
): Promise<[string[], string[]]> {
  const some: string[] = []
  const filiais = new Map<string, string[]>()
  let seen = 0
  for (const { conjunto, arquivo } of (await findEntradas(pasta, true)).conjuntos) {
    if (conjunto !== 'estabelecimentos') continue
    const reader = createCsvReader(30, {
      line({ bytes, starts }) {
        const at = starts[0] ?? 0
        const raiz = bytes.toString('latin1', at, at + 8)
        const cnpj =
          raiz + bytes.toString('latin1', at + 11, at + 15) + bytes.toString('latin1', at + 18, at + 20)
        const place = seen++ < count ? seen - 1 : Math.floor(random() * seen)
        if (place < count) some[place] = cnpj
        if (cnpj.startsWith('0001', 8)) return
        const known = filiais.get(raiz)
        if (known === undefined) filiais.set(raiz, [cnpj])
        else known.push(cnpj)
      },
      bad: () => {},
    })
    for await (const piece of inflateMembro(arquivo.path, arquivo.membro)) reader.feed(piece)
    reader.end()
  }
  let most: string[] = []
  for (const list of filiais.values()) if (list.length > most.length) most = list
  return [some, most]
}

/**
 * Microseconds of a look-up of `chaves`, in random order. Summing `length` keeps the work from being
 * optimised away.
 */
function measure(find: (cnpj: string) => unknown, chaves: string[]): number {
  const started = performance.now()
  let length = 0
  for (const cnpj of chaves) length += (JSON.stringify(find(cnpj)) ?? '').length
  const micros = ((performance.now() - started) * 1000) / chaves.length
  return length < 0 ? Number.NaN : micros
}

const random = createRandom(1)
const count = Number(values.chaves)
const [existing, branches] = await sampleChaves(values.pasta, count, random)
const base = openBaseAtiva(values.raiz, { mascararCpf: true })
const find = (cnpj: string): unknown => base.current()?.find(cnpj)?.result
const pick = (list: string[]): string[] =>
  Array.from({ length: count }, () => list[Math.floor(random() * list.length)] ?? '')
const missing = existing.map((cnpj) => `${cnpj.slice(0, 13)}${(Number(cnpj[13]) + 1) % 10}`)
const cases: [string, string[]][] = [
  ['random existing keys', pick(existing)],
  [`branches of one company (${branches.length})`, pick(branches)],
  ['wrong check digit', missing],
]
console.log(machineLine())
for (const [name, keys] of cases) {
  measure(find, keys)
  const rounds = Array.from({ length: Number(values.rodadas) }, () => measure(find, keys))
  const found = keys.filter((cnpj) => find(cnpj) !== undefined).length
  console.log(
    `${name}: ${median(rounds).toFixed(1)} us a look-up with JSON (${found} of ${keys.length} found)`,
  )
}
base.close()
