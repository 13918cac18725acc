import assert from 'node:assert/strict'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { benches } from '../../bench/benches.ts'
import { fixedColumns, placeTable, tableOf } from '../../bench/table.ts'

const root = join(import.meta.dirname, '../..')
const page = readFileSync(join(root, 'bench/README.md'), 'utf8')
const around = { machine: 'a machine', day: '2026-11-28', commit: 'abc1234', load: '0.1' }

test('every bench that a page names exists, and each of the list is a file', () => {
  const pages = ['*.md', 'bench/*.md', 'docs/*.md', 'docs/decisions/*.md']
  const named = globSync(pages, { cwd: root }).flatMap((file) => {
    const text = readFileSync(join(root, file), 'utf8')
    return [...text.matchAll(/npm run bench -- ([a-z-]+)/g)].map(([, name = '']) => ({ file, name }))
  })
  assert.ok(named.length > 20)
  for (const { file, name } of named) assert.ok(Object.hasOwn(benches, name), `${file}: ${name}`)
  for (const name of Object.keys(benches)) assert.ok(existsSync(join(root, `bench/${name}.ts`)), name)
})

test('the table of the figures has the goals of the list, all of them and no other', () => {
  const rows = page.split('\n').filter((line) => /^\| .*`npm run bench/.test(line))
  const columns = rows.map((row) => row.split(' | ').map((cell) => cell.replace(/^\| /, '')))
  assert.deepEqual(
    columns.map((cells) => cells.slice(0, 3)),
    fixedColumns(),
  )
  assert.ok(columns.every((cells) => /^(met|\*\*missed\*\*|not told) \|$/.test(cells.at(-1) ?? '')))
})

test('a bench that is run for another tree too takes nothing of this one', () => {
  for (const [name] of Object.entries(benches).filter(([, { short }]) => short)) {
    const text = readFileSync(join(root, `bench/${name}.ts`), 'utf8')
    assert.doesNotMatch(text, /^import (?!type )(?:\{[^}]*\}|\w+) from '\.\.\/src\//m, name)
  }
})

test('the page of the figures is short', () => {
  assert.ok(page.trimEnd().split('\n').length <= 60)
})

test('a row says whether the goal was met, and a bench that failed says why', () => {
  const figure = { name: 'resident memory, idle, sample base', value: 140, unit: 'MB' }
  const bare = { name: 'bare: CPU', value: 26, unit: 'µs a request' }
  const whole = { name: 'SQLite: CPU over bare', value: 72, unit: 'µs a request' }
  const ran = {
    start: { figures: [figure], failures: ['Error: start ended with 1'] },
    http: { figures: [bare, whole], failures: [] },
  }
  const table = tableOf(ran, around)
  const [said = '', , , , idle, cold] = table.split('\n')
  for (const told of Object.values(around)) assert.ok(said.includes(told), told)
  assert.match(said, /bare Fastify 26 µs a request, 12 to 14 where the targets were set/)
  assert.match(idle ?? '', / ≤ 135 \| 140 MB \| \*\*missed\*\* \|$/)
  assert.match(cold ?? '', / ≤ 2 \| {2}\| not told \|$/)
  assert.match(table, / ≤ 40 \| 72 µs a request \(36\) \| \*\*missed\*\* \|\n/)
  assert.match(table, /Error: start ended with 1\./)
})

test('a table takes the place of the one before, and of nothing else', () => {
  const once = placeTable('a\n<!-- tudo -->\nold\n<!-- /tudo -->\nb\n', 'new')
  assert.equal(once, 'a\n<!-- tudo -->\nnew\n<!-- /tudo -->\nb\n')
  assert.throws(() => placeTable('a', 'new'))
})
