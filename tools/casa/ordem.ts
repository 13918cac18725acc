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
const PRODUCTS = ROOMS.slice(ROOMS.indexOf('federal'), ROOMS.indexOf('painel'))

/**
 * A door is a way in: HTTP, a page, the clock, a command, a figure. A presenter says its answer to people.
 */
type Rank = (typeof ranks)[number]

const RANKS: Readonly<Record<Rank, RegExp>> = {
  rules: /^rules(-|\.)/,
  source: /^source(-|\.)/,
  store: /^store(-|\.)/,
  lookup: /^lookup(-|\.)/,
  door: /^(api|page|job|command|metrics)(-|\.)/,
  presenter: /^apresentacao(-|\.)/,
}

const ranks = ['rules', 'source', 'store', 'lookup', 'door', 'presenter'] as const

/** The ranks that each may import in the rooms of products. */
const MAY: Readonly<Record<Rank, readonly Rank[]>> = {
  rules: ['rules'],
  source: ['rules', 'source'],
  store: ['rules', 'store'],
  lookup: ['rules', 'source', 'store', 'lookup'],
  door: ['rules', 'source', 'store', 'lookup', 'door'],
  presenter: ['rules', 'source', 'lookup', 'door', 'presenter'],
}

/**
 * What no file of a rank imports from outside its room, by the path of a file or the name of a package. Rules
 * are pure, a source and a store know no HTTP of ours, a lookup neither pages nor the server.
 */
const OUTSIDE: Readonly<Partial<Record<Rank, RegExp>>> = {
  rules:
    /^(?!src\/|@brazilian-utils\/|typebox|node:url$)|^src\/platform\/(?:db|cache|jobs|ledger|http|pages|config)\//,
  source: /^@?fastify\b|^src\/platform\/(?:db|cache|jobs|ledger|http|pages|config)\//,
  store:
    /^@?fastify\b|^src\/platform\/(?:http\/(?!outcome)|pages\/|config\/|wire\/(?:transport|dial|guard|soap)\.)/,
  lookup: /^@?fastify\b|^src\/platform\/pages\//,
  presenter: /^@?fastify\b|^src\/platform\/(?:db|cache|jobs|ledger|config)\//,
}

/** Files and folders whose name is the product's own word, and their rank; all others are lookups. */
const OWN_WORDS: Readonly<Record<string, Rank>> = {
  'src/documento/': 'rules',
  'src/portal/rules-': 'rules',
  'src/portal/': 'source',
  'src/estados/estados.ts': 'lookup',
  'src/estados/': 'source',
  'src/rejeicoes/verificacoes/': 'rules',
  'src/contas/acesso.ts': 'door',
  'src/contas/admit.ts': 'door',
  'src/contas/porta.ts': 'door',
  'src/contas/visitante.ts': 'door',
}

/** The room of a file; undefined at the top of src. */
const roomOf = (path: string): string | undefined =>
  path.split('/').length > 2 ? path.split('/')[1] : undefined

function rankOf(path: string): Rank {
  const own = Object.keys(OWN_WORDS).find((name) => path.startsWith(name))
  if (own !== undefined) return OWN_WORDS[own] ?? 'lookup'
  return ranks.find((rank) => RANKS[rank].test(basename(path))) ?? 'lookup'
}

/** The kind of a door: the first word of its name; undefined for a door with a name of its own. */
const kindOf = (path: string): string | undefined => RANKS.door.exec(basename(path))?.[1]

/** What a file imports, types included: the paths of files, and the names of packages. */
export const importsIn = (path: string, text: string): string[] =>
  [...text.matchAll(/(?:from |import\(|import )'([^'\s]+)'/g)].map(([, to = '']) =>
    to.startsWith('.') ? normalize(`${dirname(path)}/${to}`) : to,
  )

/** What is wrong with an import, or undefined. */
function wrongWith(from: string, to: string): string | undefined {
  const room = roomOf(from)
  if (room === undefined) return undefined
  if (!ROOMS.includes(room)) return `${room} is in no list of rooms`
  const isRanked = PRODUCTS.includes(room) || Object.keys(OWN_WORDS).some((name) => from.startsWith(name))
  const rank = rankOf(from)
  const isOfRoom = to.startsWith(`src/${room}/`)
  if (isRanked && !isOfRoom && OUTSIDE[rank]?.test(to)) return `${rank} does not import ${to}`
  if (!to.startsWith('src/')) return undefined
  const other = roomOf(to)
  if (other === undefined) return 'a room imports nothing of the top of src'
  if (!isOfRoom)
    return ROOMS.indexOf(other) > ROOMS.indexOf(room) ? `${other} stands after ${room}` : undefined
  if (!PRODUCTS.includes(room)) return undefined
  const its = rankOf(to)
  if (!MAY[rank].includes(its)) return `${rank} does not import ${its}`
  const [kind, another] = [kindOf(from), kindOf(to)]
  return kind && another && kind !== another ? 'a door does not import another' : undefined
}

/** The imports against the order of rooms and ranks: `from → to: why`. */
export const findDisorder = (files: ReadonlyMap<string, string>): string[] =>
  [...files].flatMap(([from, text]) =>
    importsIn(from, text).flatMap((to) => {
      const why = wrongWith(from, to)
      return why ? [`${from} → ${to}: ${why}`] : []
    }),
  )

if (import.meta.main) {
  const paths = globSync('src/**/*.ts')
  const found = findDisorder(new Map(paths.map((path) => [path, readFileSync(path, 'utf8')])))
  for (const line of found) console.error(line)
  process.exitCode = found.length > 0 ? 1 : 0
}
