import assert from 'node:assert/strict'
import { dirname } from 'node:path'
import { test } from 'node:test'
import { type Files, importsIn, reach, readFiles } from './tree.ts'

const sources = readFiles('src/**/*.ts')

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

test('the folders of src/sources import each other in one direction', () => {
  assert.deepEqual(circles(sources), [])
})

test('no file stands beside a folder of its own name', () => {
  assert.deepEqual(besideTheirFolder(sources), [])
})

test('a violation that is planted is found', () => {
  const plant = (path: string, text: string): Files => new Map([...sources, [path, text]])
  const circle = plant('src/sources/pagina/nova.ts', "import type { Portal } from '../portal/portal.ts'\n")
  assert.ok(circles(circle).includes('src/sources/pagina'))
  assert.deepEqual(besideTheirFolder(plant('src/sources/portal.ts', '')), ['src/sources/portal.ts'])
})
