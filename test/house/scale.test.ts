import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { type Files, readFiles } from './tree.ts'

/**
 * What PostgreSQL has and Citus, CockroachDB or YugabyteDB lack, or have in another way (their documents,
 * 2026-11-28). Whatever of it a statement says must have a row in docs/scale.md.
 */
const LACKING: readonly RegExp[] = [
  /\bpg_(?!dump\b|restore\b|hba\b)[a-z_]+/g,
  /\bunlogged\b/g,
  /\bpartition (?:by range|by list|by hash|of)\b/g,
  /\binherits \(/g,
  /\bplpgsql\b|\breferencing (?:new|old) table\b|\bfor each (?:statement|row)\b/g,
  /\bfor (?:no key )?(?:update|share)\b|\bskip locked\b|\block table\b/g,
  /\bwith recursive\b/g,
  /\bclock_timestamp\b|\bstatement_timestamp\b/g,
  /\bunique index\b|\.unique\(\)|\btext unique\b/g,
  /\breferences contas\b|(?<=\.)references\(/g,
  /\bjson_[a-z]+(?:_[a-z]+)*(?= ?\()/g,
  /\bset_config\b|\b[a-z]+_timeout\b(?= =|'|`)|\bplan_cache_mode\b|\benable_seqscan\b/g,
  /::reg[a-z]+/g,
  /['"`]\s*(?:listen|notify) [a-z]/g,
  /\bcreate (?:temp|temporary|extension|type|domain|sequence|rule|materialized)\b/g,
  /\bdeferrable\b|\btablesample\b|\bexclude using\b|\busing (?:gin|gist|brin|hash)\b|\bctid\b|\bxmin\b/g,
  /\bgenerated (?:always|by default)\b|\bbigserial\b|\b(?:int8|tstz|num|date)range\b/g,
]

type Linha = { words: string[]; files: string[] }

/** The rows of the last table: their words, and the files in which these stand. */
function rowsOf(page: string): Linha[] {
  const [, table = ''] = page.split('## What the statements use')
  return table
    .split('\n')
    .filter((line) => line.startsWith('| `'))
    .map((line) => {
      const cells = line
        .split('|')
        .map((cell) => [...cell.matchAll(/`([^`]+)`/g)].map(([, text = '']) => text))
      return { words: cells[1] ?? [], files: cells.at(-2) ?? [] }
    })
}

/** The text of a program without its comments, in small letters. */
const saidIn = (text: string): string =>
  text
    .replace(/\/\*[\s\S]*?\*\//g, '')
    .replace(/^\s*\/\/.*$/gm, '')
    .toLowerCase()

function complaints(page: string, src: Files): string[] {
  const rows = rowsOf(page)
  const said = new Map([...src].map(([path, text]) => [path, saidIn(text)]))
  const found: string[] = []
  for (const { words, files } of rows) {
    const real = [...said]
      .filter(([, text]) => words.some((word) => text.includes(word)))
      .map(([path]) => path)
    for (const path of real) if (!files.includes(path)) found.push(`${words.join(', ')}: also in ${path}`)
    for (const path of files) if (!real.includes(path)) found.push(`${words.join(', ')}: not in ${path}`)
    for (const word of words)
      if (![...said.values()].some((text) => text.includes(word))) found.push(`${word}: used no more`)
  }
  const known = rows.flatMap(({ words }) => words)
  for (const [path, text] of said)
    for (const pattern of LACKING)
      for (const [match] of text.matchAll(pattern))
        if (!known.some((word) => match.includes(word) || word.includes(match)))
          found.push(`${match} in ${path}: no row`)
  return found
}

const page = readFileSync('docs/scale.md', 'utf8')
/** Pages make no statements: their samples name functions of other languages. */
const isPage = (path: string): boolean => path.startsWith('src/platform/pages/')
const src = new Map([...readFiles('src/**/*.ts')].filter(([path]) => !isPage(path)))

test('docs/scale.md names what the statements use that other engines lack, and where', () => {
  assert.ok(rowsOf(page).length > 10)
  assert.deepEqual(complaints(page, src), [])
})

test('the check of that table bites: a feature without a row, a row without its feature, another file', () => {
  const more = (path: string, text: string): Files => new Map([...src, [path, text]])
  for (const [text, expected] of [
    ['sql`create temp table t (id text)`', /create temp in src\/novo\.ts: no row/],
    ['await sql`listen canal`', /listen c in src\/novo\.ts: no row/],
    ['sql`select pg_sleep(1)`', /pg_sleep in src\/novo\.ts: no row/],
    [
      'sql`select 1 from t for update skip locked`',
      /for update, for share, skip locked: also in src\/novo\.ts/,
    ],
  ] as const)
    assert.match(complaints(page, more('src/novo.ts', text)).join('\n'), expected)
  assert.deepEqual(complaints(page, more('src/novo.ts', '// listen to pg_sleep\n/** lock table */\n')), [])
  const without = (path: string): Files => new Map([...src].filter(([at]) => at !== path))
  const gone = complaints(page, without('src/platform/db/migrations.ts')).join('\n')
  assert.match(gone, /unlogged: not in src\/platform\/db\/migrations\.ts/)
  assert.match(gone, /plpgsql: used no more/)
  assert.deepEqual(complaints(page.replace('| `pg_is_in_recovery` |', '| pg_is_in_recovery |'), src), [
    'pg_is_in_recovery in src/platform/db/postgres.ts: no row',
  ])
})

test('docs/scale.md stays short', () => {
  assert.ok(page.trimEnd().split('\n').length <= 120)
})
