import { globSync, readFileSync } from 'node:fs'
import { basename, dirname, normalize } from 'node:path'

/** Each room imports itself and those before it; the files at the top of src import all. */
const ROOMS = [
  'documento',
  'platform',
  'portal',
  'estados',
  'federal',
  'cnpj',
  'inscricao',
  'certidao',
  'nfe',
  'sefaz',
  'rural',
  'rejeicoes',
  'fontes',
  'contas',
  'painel',
  'site',
  'mcp',
  'cli',
]

/** The rooms of products, where the name of a file tells its rank. */
const PRODUCTS = [
  'federal',
  'cnpj',
  'inscricao',
  'certidao',
  'nfe',
  'sefaz',
  'rural',
  'rejeicoes',
  'fontes',
  'contas',
]

/** What a file may touch. A door is a way in: HTTP, a page, the clock, a command, a figure. */
type Rank = (typeof ranks)[number]

const RANKS: Readonly<Record<Rank, RegExp>> = {
  rules: /^rules(-|\.)/,
  source: /^source(-|\.)/,
  store: /^store(-|\.)/,
  lookup: /^lookup(-|\.)/,
  door: /^(api|page|job|command|metrics)(-|\.)/,
}

const ranks = ['rules', 'source', 'store', 'lookup', 'door'] as const

/** The ranks that each may import in the rooms of products. */
const MAY: Readonly<Record<Rank, readonly Rank[]>> = {
  rules: ['rules'],
  source: ['rules', 'source'],
  store: ['rules', 'store'],
  lookup: ['rules', 'source', 'store', 'lookup'],
  door: ['rules', 'source', 'store', 'lookup', 'door'],
}

/** Files and folders whose name is the product's own word, and their rank; all others are lookups. */
const OWN_WORDS: Readonly<Record<string, Rank>> = {
  'src/rejeicoes/verificacoes/': 'rules',
}

type Files = ReadonlyMap<string, string>

/** The room of a file; undefined at the top of src. */
const roomOf = (path: string): string | undefined =>
  path.split('/').length > 2 ? path.split('/')[1] : undefined

function rankOf(path: string): Rank {
  const own = Object.keys(OWN_WORDS).find((name) => path.startsWith(name))
  if (own !== undefined) return OWN_WORDS[own] ?? 'lookup'
  return ranks.find((rank) => RANKS[rank].test(basename(path))) ?? 'lookup'
}

/** The kind of a door: the first word of its name. */
const kindOf = (path: string): string => basename(path).split(/[-.]/)[0] ?? ''

/** The files of src that a file imports, types included. */
const importsIn = (path: string, text: string): string[] =>
  [...text.matchAll(/(?:from |import\(|import )'(\.\.?\/[^']+\.ts)'/g)].map(([, to = '']) =>
    normalize(`${dirname(path)}/${to}`),
  )

/** What is wrong with an import, or undefined. */
function wrongWith(from: string, to: string): string | undefined {
  const [room, other] = [roomOf(from), roomOf(to)]
  if (room === undefined) return undefined
  if (!ROOMS.includes(room)) return `${room} is in no list of rooms`
  if (other === undefined) return 'a room imports nothing of the top of src'
  if (room !== other)
    return ROOMS.indexOf(other) > ROOMS.indexOf(room) ? `${other} stands after ${room}` : undefined
  if (!PRODUCTS.includes(room)) return undefined
  const [rank, its] = [rankOf(from), rankOf(to)]
  if (!MAY[rank].includes(its)) return `${rank} does not import ${its}`
  if (rank === 'door' && its === 'door' && kindOf(from) !== kindOf(to))
    return 'a door does not import another'
  return undefined
}

/** The imports against the order of rooms and ranks: `from → to: why`. */
export const findDisorder = (files: Files): string[] =>
  [...files].flatMap(([from, text]) =>
    importsIn(from, text).flatMap((to) => {
      const why = wrongWith(from, to)
      return why ? [`${from} → ${to}: ${why}`] : []
    }),
  )

export const readSources = (): Files =>
  new Map(globSync('src/**/*.ts').map((path) => [path, readFileSync(path, 'utf8')]))

if (import.meta.main) {
  const found = findDisorder(readSources())
  for (const line of found) console.error(line)
  process.exitCode = found.length > 0 ? 1 : 0
}
