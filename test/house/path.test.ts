import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Files, importsIn, reach, readFiles } from './tree.ts'

const sources = readFiles('src/**/*.ts')

/** Every file that a file reaches by imports, itself included. */
const reachedFrom = (start: string, files: Files): Set<string> =>
  reach([start], (path) => importsIn(path, files.get(path) ?? '').filter((to) => files.has(to)))

/** The endpoints of one question: in one state, and in all. */
const kinds: readonly (readonly string[])[] = [
  ['consultar', 'consultar-ie-todos'],
  ['consultar-cnd', 'consultar-cnd-todos'],
  ['consultar-cnpj'],
  ['consultar-nfe-xml'],
  ['consultar-cnir'],
]

const pathOf = (endpoint: string): string => `src/api/${endpoint}.ts`

/** The files of api and consultas that an endpoint reaches, and no endpoint of another question does. */
function ownOf(endpoint: string, files: Files): string[] {
  const others = kinds.filter((kind) => !kind.includes(endpoint)).flat()
  const shared = new Set(others.flatMap((other) => [...reachedFrom(pathOf(other), files)]))
  return [...reachedFrom(pathOf(endpoint), files)].filter(
    (path) => /^src\/(?:api|consultas)\//.test(path) && !shared.has(path),
  )
}

/** The profile is made of other lookups, so it takes none of their files for its own. */
const most = {
  'perfil-produtor': 5,
  consultar: 5,
  'consultar-cnd': 5,
  'consultar-cnpj': 5,
  'consultar-nfe-xml': 9,
  'consultar-cnir': 5,
}

for (const [endpoint, limit] of Object.entries(most))
  test(`a reader of ${endpoint} opens at most ${limit} files of its own`, () => {
    const own = ownOf(endpoint, sources)
    assert.ok(own.includes(pathOf(endpoint)))
    assert.ok(own.length <= limit, own.join('\n'))
  })

test('a longer path that is planted is found', () => {
  const chain = Array.from({ length: 6 }, (_, index): [string, string] => [
    `src/consultas/longa-${index}.ts`,
    `import './longa-${index + 1}.ts'\n`,
  ])
  const endpoint = `${sources.get(pathOf('consultar-cnpj'))}import '../consultas/longa-0.ts'\n`
  const before = ownOf('consultar-cnpj', sources).length
  const planted: Files = new Map([...sources, ...chain, [pathOf('consultar-cnpj'), endpoint]])
  assert.equal(ownOf('consultar-cnpj', planted).length, before + 6)
})
