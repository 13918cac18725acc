import assert from 'node:assert/strict'
import { globSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { test } from 'node:test'
import { type Files, readFiles } from './tree.ts'

/** The exported types of each file, by name, with the folders that export them. */
function foldersByName(files: Files): Map<string, Set<string>> {
  const folders = new Map<string, Set<string>>()
  for (const [path, text] of files)
    for (const [, name = ''] of text.matchAll(/^export (?:type|interface|(?:abstract )?class) (\w+)/gm))
      folders.set(name, (folders.get(name) ?? new Set()).add(dirname(path)))
  return folders
}

/** The names with two meanings: `Nome: folder, folder`. */
const ambiguous = (files: Files): string[] =>
  [...foldersByName(files)]
    .filter(([, folders]) => folders.size > 1)
    .map(([name, folders]) => `${name}: ${[...folders].sort().join(', ')}`)

const sources = readFiles('src/**/*.ts')

test('an exported type has one meaning: no two folders of src export the same name', () => {
  assert.deepEqual(ambiguous(sources), [])
})

test('a second meaning that is planted is found', () => {
  const [path, text] = [...sources].find(([, text]) => /^export type Portal\b/m.test(text)) ?? ['', '']
  assert.match(text, /export type Portal\b/)
  const planted = new Map([...sources, ['src/site/page.ts', 'export type Portal = { cor: string }\n']])
  const found = ambiguous(planted).filter((line) => line.startsWith('Portal:'))
  assert.deepEqual(found, [`Portal: ${dirname(path)}, src/site`])
})

/** The files of decisions whose number another has too. */
const sameNumber = (files: readonly string[]): string[] =>
  [...Map.groupBy(files, (file) => basename(file).slice(0, 4)).values()]
    .filter(({ length }) => length > 1)
    .flat()

test('every decision has a number of its own', () => {
  const files = globSync(join(import.meta.dirname, '../../docs/decisions/*.md'))
  assert.ok(files.length > 30)
  assert.deepEqual(sameNumber(files), [])
  assert.deepEqual(sameNumber(['0001-a.md', '0002-b.md', '0001-c.md']), ['0001-a.md', '0001-c.md'])
})
