import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { before, test } from 'node:test'
import { promisify } from 'node:util'

const root = join(import.meta.dirname, '../..')

/** Breaches of the linter's rules. All of them are planted in one project, which is linted once. */
const PLANTED: { what: string; rule: string; files: Record<string, string> }[] = [
  {
    what: 'an import cycle',
    rule: 'noImportCycles',
    files: {
      'src/platform/db/cycle-a.ts': "import { b } from './cycle-b.ts'\nexport const a = (): unknown => b\n",
      'src/platform/db/cycle-b.ts': "import { a } from './cycle-a.ts'\nexport const b = (): unknown => a\n",
    },
  },
  {
    what: 'an import cycle of types',
    rule: 'noImportCycles',
    files: {
      'src/platform/db/types-a.ts': "import type { B } from './types-b.ts'\nexport type A = B | 1\n",
      'src/platform/db/types-b.ts': "import type { A } from './types-a.ts'\nexport type B = A[]\n",
    },
  },
  {
    what: 'the environment outside config',
    rule: 'noProcessEnv',
    files: { 'src/platform/db/environment.ts': 'export const a = process.env.HOME\n' },
  },
  {
    what: 'any',
    rule: 'noExplicitAny',
    files: { 'src/platform/db/any.ts': 'export const a = (b: any): unknown => b\n' },
  },
  {
    what: 'a default export',
    rule: 'noDefaultExport',
    files: { 'src/platform/db/default.ts': 'export default 1\n' },
  },
]

/** What a room may import neither as a value nor as a type. */
const FORBIDDEN: [room: string, to: string][] = [
  ['src', '../simulator/y.ts'],
  ['src/sefaz', '../../test/y.ts'],
  ['src/platform/db', '../../../bench/y.ts'],
  ['simulator', '../src/documento/y.ts'],
  ['simulator/dados-abertos', '../../src/cnpj/y.ts'],
  ['clients/typescript', '../../src/documento/y.ts'],
]

/** What a room may import. */
const ALLOWED: [room: string, to: string][] = [
  ['src/sefaz', '../portal/y.ts'],
  ['simulator', './y.ts'],
]

const importOf = (to: string): string => `import { y } from '${to}'\nexport const x = y\n`
const importOfType = (to: string): string => `import type { Y } from '${to}'\nexport type X = Y\n`

for (const [i, [room, to]] of FORBIDDEN.entries()) {
  const rule = 'noRestrictedImports'
  PLANTED.push(
    { what: `${to} in ${room}`, rule, files: { [`${room}/forbidden-${i}.ts`]: importOf(to) } },
    {
      what: `a type of ${to} in ${room}`,
      rule,
      files: { [`${room}/forbidden-type-${i}.ts`]: importOfType(to) },
    },
  )
}

const clean = ALLOWED.map(([room, to], i) => ({ file: `${room}/allowed-${i}.ts`, text: importOf(to) }))

/** The rules that the linter reports as broken, by file. */
let broken: Map<string, string[]>

before(async () => {
  const project = mkdtempSync(join(tmpdir(), 'layering-'))
  try {
    cpSync(join(root, 'biome.json'), join(project, 'biome.json'))
    symlinkSync(join(root, 'node_modules'), join(project, 'node_modules'))
    for (const { files } of PLANTED)
      for (const [file, text] of Object.entries(files)) plant(project, file, text)
    for (const { file, text } of clean) plant(project, file, text)
    broken = await lint(project)
  } finally {
    rmSync(project, { recursive: true, force: true })
  }
})

function plant(project: string, file: string, text: string): void {
  mkdirSync(join(project, dirname(file)), { recursive: true })
  writeFileSync(join(project, file), text, { flag: 'wx' })
}

async function lint(project: string): Promise<Map<string, string[]>> {
  const biome = join(root, 'node_modules/@biomejs/biome/bin/biome')
  const args = [biome, 'lint', '--reporter=json', '--max-diagnostics=none', '.']
  // It ends with 1, because of the planted breaches.
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: project }).catch(
    (error) => error,
  )
  const said: { diagnostics: { category: string; location: { path: string } }[] } = JSON.parse(stdout)
  const rules = new Map<string, string[]>()
  for (const { category, location } of said.diagnostics)
    rules.set(location.path, [...(rules.get(location.path) ?? []), category.replace(/.*\//, '')])
  return rules
}

for (const { what, rule, files } of PLANTED) {
  test(`the linter refuses ${what}`, () => {
    for (const file of Object.keys(files)) assert.deepEqual(broken.get(file), [rule], file)
  })
}

test('the linter lets through what each room may import', () => {
  for (const { file, text } of clean) assert.equal(broken.get(file), undefined, `${file}: ${text}`)
})

/**
 * The files of src that may open a connection: the door out, and the one for letters, which speak no HTTP and
 * go to a server of the operator's own.
 */
const DOORS = ['src/platform/correio.ts', 'src/platform/wire/dial.ts']

test('platform/wire is the only door out but for letters, and verification is never off', () => {
  const files = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.ts'),
  )
  const dials =
    /(?:^import (?!type\b|\{ isIP \} from)[^']*|\b(?:import|require)\()'((?:undici|nodemailer)(?:\/[^']*)?|(node:)?(http|https|http2|net|tls|dgram|dns)(\/promises)?)'|\bfetch\(/m
  const found = files
    .map((name) => `src/${name}`)
    .filter((name) => dials.test(readFileSync(join(root, name), 'utf8')))
  assert.deepEqual(found.sort(), DOORS.toSorted())
  for (const name of files) {
    assert.doesNotMatch(
      readFileSync(join(root, 'src', name), 'utf8'),
      /rejectUnauthorized|checkServerIdentity|NODE_TLS|insecureHTTPParser/,
      name,
    )
  }
})
