import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
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
import { after, before, test } from 'node:test'

const root = join(import.meta.dirname, '..')
let house = ''

before(() => {
  house = mkdtempSync(join(tmpdir(), 'layering-'))
  cpSync(join(root, 'biome.json'), join(house, 'biome.json'))
  symlinkSync(join(root, 'node_modules'), join(house, 'node_modules'))
})
after(() => rmSync(house, { recursive: true, force: true }))

/** Lints a project that holds only these files, and returns what the linter says. */
function lint(files: Record<string, string>): { ok: boolean; said: string } {
  for (const folder of ['src', 'simulator']) rmSync(join(house, folder), { recursive: true, force: true })
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(house, path)), { recursive: true })
    writeFileSync(join(house, path), text)
  }
  const biome = join(root, 'node_modules/@biomejs/biome/bin/biome')
  const run = spawnSync(process.execPath, [biome, 'lint', '--colors=off', '.'], {
    cwd: house,
    encoding: 'utf8',
  })
  return { ok: run.status === 0, said: run.stdout + run.stderr }
}

const forbidden: [from: string, to: string][] = [
  ['src/domain/x.ts', 'node:fs'],
  ['src/domain/x.ts', '../store/db/y.ts'],
  ['src/domain/x.ts', 'pino'],
  ['src/domain/x.ts', '../context/context.ts'],
  ['src/domain/cnd/x.ts', '../../store/db/y.ts'],
  ['src/domain/cnd/x.ts', '../../context/context.ts'],
  ['src/domain/x.ts', '@fastify/compress'],
  ['src/config/x.ts', '../store/db/y.ts'],
  ['src/sources/x.ts', '../store/db/y.ts'],
  ['src/sources/estados/x.ts', '../../store/db/y.ts'],
  ['src/sources/x.ts', '../config/config.ts'],
  ['src/sources/x.ts', '../api/y.ts'],
  ['src/sources/x.ts', '../base-cnpj/formato/y.ts'],
  ['src/store/db/x.ts', '../../sources/y.ts'],
  ['src/store/db/x.ts', '../../context/context.ts'],
  ['src/store/db/x.ts', '../../jobs/y.ts'],
  ['src/store/db/x.ts', '../../contas/y.ts'],
  ['src/base-cnpj/formato/x.ts', '../../context/context.ts'],
  ['src/base-cnpj/formato/x.ts', '../../jobs/y.ts'],
  ['src/consultas/x.ts', 'fastify'],
  ['src/consultas/x.ts', '../context/context.ts'],
  ['src/consultas/nota/x.ts', '../../api/pipeline/y.ts'],
  ['src/consultas/x.ts', '../jobs/y.ts'],
  ['src/consultas/nota/x.ts', '../../cli/y.ts'],
  ['src/context/x.ts', '../consultas/y.ts'],
  ['src/api/x.ts', '../jobs/y.ts'],
  ['src/api/x.ts', '../config/config.ts'],
  ['src/api/pipeline/x.ts', '../../jobs/y.ts'],
  ['src/jobs/x.ts', '../api/y.ts'],
  ['src/jobs/x.ts', '../server/server.ts'],
  ['src/cli/x.ts', '../api/y.ts'],
  ['src/server/x.ts', '../../simulator/y.ts'],
  ['simulator/x.ts', '../src/domain/y.ts'],
  ['simulator/dados-abertos/x.ts', '../../src/domain/y.ts'],
]

for (const [from, to] of forbidden) {
  test(`the linter refuses ${to} in ${from}`, () => {
    for (const statement of [
      `import { y } from '${to}'\nexport const x = y\n`,
      `import type { Y } from '${to}'\nexport type X = Y\n`,
    ]) {
      const { ok, said } = lint({ [from]: statement })
      assert.equal(ok, false, said)
      assert.match(said, /noRestrictedImports/)
    }
  })
}

const allowed: [from: string, to: string][] = [
  ['src/domain/x.ts', './y.ts'],
  ['src/domain/cnd/x.ts', '../y.ts'],
  ['src/domain/cnd/x.ts', '../texto/y.ts'],
  ['src/domain/x.ts', '@brazilian-utils/brazilian-utils/is-valid-ie'],
  ['src/sources/estados/x.ts', '../../domain/y.ts'],
  ['src/store/ledger/x.ts', '../jobs/y.ts'],
  ['src/base-cnpj/formato/x.ts', '../../domain/y.ts'],
  ['src/consultas/x.ts', '../store/jobs/y.ts'],
  ['src/api/x.ts', '../store/jobs/y.ts'],
  ['src/api/x.ts', '../context/context.ts'],
  ['src/cli/x.ts', '../jobs/y.ts'],
]

test('the linter lets through what each room may import', () => {
  for (const [from, to] of allowed) {
    const { ok, said } = lint({ [from]: `import { y } from '${to}'\nexport const x = y\n` })
    assert.equal(ok, true, `${from} → ${to}\n${said}`)
  }
})

test('the linter refuses import cycles, the environment outside config.ts, any and default exports', () => {
  const cycle = lint({
    'src/store/a.ts': "import { b } from './b.ts'\nexport const a = (): unknown => b\n",
    'src/store/b.ts': "import { a } from './a.ts'\nexport const b = (): unknown => a\n",
  })
  assert.match(cycle.said, /noImportCycles/)
  assert.match(lint({ 'src/store/a.ts': 'export const a = process.env.HOME\n' }).said, /noProcessEnv/)
  assert.match(lint({ 'src/store/a.ts': 'export const a = (b: any): unknown => b\n' }).said, /noExplicitAny/)
  assert.match(lint({ 'src/store/a.ts': 'export default 1\n' }).said, /noDefaultExport/)
})

test('every room at the top of src is named in the layer rules', () => {
  const rules = readFileSync(join(root, 'biome.json'), 'utf8')
  const missing = readdirSync(join(root, 'src')).filter((name) => !rules.includes(`src/${name}`))
  assert.deepEqual(missing, [])
})

/** The files of src that may open a connection: the door out, the server's own port, the database. */
const DOORS = ['src/sources/transport/dial.ts', 'src/sources/transport/transport.ts']

test('sources/transport.ts is the only door out, and verification is never off', () => {
  const files = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.ts'),
  )
  const dials =
    /^import (?!type\b)[^']*'(undici|(node:)?(http|https|http2|net|tls|dgram|dns)(\/promises)?)'|\bfetch\(/m
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
