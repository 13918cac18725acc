import assert from 'node:assert/strict'
import { dirname } from 'node:path'
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
  const planted = new Map([...sources, ['src/web/page.ts', 'export type Portal = { cor: string }\n']])
  const found = ambiguous(planted).filter((line) => line.startsWith('Portal:'))
  assert.deepEqual(found, [`Portal: ${dirname(path)}, src/web`])
})
