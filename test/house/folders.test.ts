import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { dirname, normalize } from 'node:path'
import { test } from 'node:test'

type Files = ReadonlyMap<string, string>

const sources: Files = new Map(
  globSync('src/sources/*/*.ts').map((path) => [path, readFileSync(path, 'utf8')]),
)

/** The folders that each folder imports from, types included. */
function importsOf(files: Files): Map<string, Set<string>> {
  const imports = new Map<string, Set<string>>()
  for (const [path, text] of files)
    for (const [, to = ''] of text.matchAll(/from '(\.\.?\/[^']+)'/g)) {
      const [from, folder] = [dirname(path), dirname(normalize(`${dirname(path)}/${to}`))]
      if (folder !== from && folder.startsWith('src/sources/'))
        imports.set(from, (imports.get(from) ?? new Set()).add(folder))
    }
  return imports
}

/** The folders that can be reached from themselves. */
function circles(files: Files): string[] {
  const imports = importsOf(files)
  const reached = (from: string): Set<string> => {
    const seen = new Set(imports.get(from))
    // A set that grows while it is read gives what was added, too.
    for (const folder of seen) for (const next of imports.get(folder) ?? []) seen.add(next)
    return seen
  }
  return [...imports.keys()].filter((folder) => reached(folder).has(folder))
}

test('the folders of src/sources import each other in one direction', () => {
  assert.deepEqual(circles(sources), [])
})

test('a circle that is planted between two folders is found', () => {
  const wrong = "import type { Portal } from '../portal/portal.ts'\n"
  const planted = new Map([...sources, ['src/sources/pagina/nova.ts', wrong]])
  assert.ok(circles(planted).includes('src/sources/pagina'))
})
