import assert from 'node:assert/strict'
import { dirname } from 'node:path'
import { test } from 'node:test'
import { type Files, importsIn, reach, readFiles } from './tree.ts'

const sources = readFiles('src/**/*.ts')
const callers: Files = new Map([...sources, ...readFiles('{test,bench,bin}/**/*.{ts,js}')])

/** Folders of `src/sources` that can be reached from themselves. */
function circles(files: Files): string[] {
  const imports = new Map<string, Set<string>>()
  for (const [path, text] of files)
    for (const to of importsIn(path, text)) {
      const [from, folder] = [dirname(path), dirname(to)]
      const isInside = [from, folder].every((one) => one.startsWith('src/sources/'))
      if (isInside && folder !== from) imports.set(from, (imports.get(from) ?? new Set()).add(folder))
    }
  const nextOf = (folder: string) => imports.get(folder) ?? []
  return [...imports.keys()].filter((from) => reach(nextOf(from), nextOf).has(from))
}

/** Files that stand beside a folder of their own name. */
const besideTheirFolder = (files: Files): string[] =>
  [...files.keys()].filter((path) =>
    [...files.keys()].some((other) => other.startsWith(path.replace(/\.ts$/, '/'))),
  )

/** These list one thing a file: a folder of them has as many as there are things. */
const LISTS = /^src\/(?:api|web|cli|jobs|sources\/estados|sources\/families|store\/db\/migrations)$/

/** Folders with fewer than 3 files or more than 15. */
function outOfSize(files: Files): string[] {
  const counts = new Map<string, number>()
  for (const path of files.keys()) counts.set(dirname(path), (counts.get(dirname(path)) ?? 0) + 1)
  return [...counts]
    .filter(([folder, count]) => folder !== 'src' && !LISTS.test(folder) && (count < 3 || count > 15))
    .map(([folder, count]) => `${folder}: ${count}`)
}

/** A thread starts its file by address; a metric's file stands among its like. */
const ALONE = /\/worker\.ts$|^src\/main\.ts$|^src\/server\/metrics\//

/** Files under 25 lines with one importer: they belong into it. */
function tooSmall(files: Files, callers: Files): string[] {
  const importers = new Map<string, number>()
  for (const [path, text] of callers)
    for (const to of new Set(importsIn(path, text))) importers.set(to, (importers.get(to) ?? 0) + 1)
  return [...files]
    .filter(([path]) => !LISTS.test(dirname(path)) && !ALONE.test(path))
    .filter(([path, text]) => text.split('\n').length <= 25 && (importers.get(path) ?? 0) < 2)
    .map(([path]) => path)
}

test('the folders of src/sources import each other in one direction', () => {
  assert.deepEqual(circles(sources), [])
})

test('no file stands beside a folder of its own name', () => {
  assert.deepEqual(besideTheirFolder(sources), [])
})

test('a folder has 3 to 15 files, but for those that list one thing a file', () => {
  assert.deepEqual(outOfSize(sources), [])
})

test('a small file has two importers', () => {
  assert.deepEqual(tooSmall(sources, callers), [])
})

test('a violation that is planted is found', () => {
  const plant = (path: string, text: string): Files => new Map([...sources, [path, text]])
  const circle = plant('src/sources/pagina/nova.ts', "import type { Portal } from '../portal/portal.ts'\n")
  assert.ok(circles(circle).includes('src/sources/pagina'))
  assert.deepEqual(besideTheirFolder(plant('src/sources/portal.ts', '')), ['src/sources/portal.ts'])
  assert.deepEqual(outOfSize(plant('src/nova/uma.ts', '')), ['src/nova: 1'])
  assert.deepEqual(tooSmall(plant('src/domain/nova.ts', 'export const um = 1\n'), callers), [
    'src/domain/nova.ts',
  ])
})
