import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'

export const root = join(import.meta.dirname, '../..')
const pasta = mkdtempSync(join(tmpdir(), 'vermelho-'))
after(() => rmSync(pasta, { recursive: true, force: true }))

export const GREEN = "test('one', () => {})"
const postgres = new URL('./postgres.ts', import.meta.url).href

type End = { code: unknown; said: string }

/** The exit code and the output of `npm test`. */
export function runner(patterns: string[]): Promise<End> {
  // Node marks the processes that it starts as a test runner. A marked process reports to that runner alone.
  const { NODE_TEST_CONTEXT: _, ...env } = process.env
  const args = [join(root, 'test/kit/runner/main.ts'), ...patterns]
  return new Promise((resolve) =>
    execFile(process.execPath, args, { cwd: root, env }, (error, stdout, stderr) =>
      resolve({ code: error ? error.code : 0, said: stdout + stderr }),
    ),
  )
}

/**
 * The same for a run whose only tests are files with these texts. Each begins as our tests on PostgreSQL do.
 */
export function run(texts: string[]): Promise<End> {
  const folder = mkdtempSync(join(pasta, 'testes-'))
  const files = texts.map((text, i) => {
    const file = join(folder, `${i}.test.ts`)
    writeFileSync(file, `import '${postgres}'\nimport { after, before, test } from 'node:test'\n${text}\n`)
    return file
  })
  return runner(files)
}

/** What turns npm test red, the file that does it, and what is said then. */
export const reds: [what: string, text: string, said: RegExp][] = [
  [
    'a test that fails',
    "test('one', () => { throw new Error('no') })",
    /✖ one\n.*0\.test\.ts:3:1\n +Error: no\n/,
  ],
  ['a hook that fails', `before(() => { throw new Error('no') })\n${GREEN}`, /Error: no\n/],
  ['a file that fails as it loads', `${GREEN}\nthrow new Error('no')`, /Error: no\n/],
  ['a file without a test', '', /It has no test/],
  ['a test that ends its process', "test('one', () => process.exit(0))", /It ended with 0 while it ran/],
  [
    'a process that is killed',
    "test('one', () => process.kill(process.pid, 'SIGKILL'))",
    /ended with SIGKILL/,
  ],
  [
    'an error after the end of its test',
    `test('one', () => void setImmediate(() => { throw new Error('no') }))`,
    /asynchronous activity after the test ended.*Error: no/,
  ],
]

/** Declares that these turn npm test red. */
export function provarVermelhos(wrong: typeof reds): void {
  for (const [what, text, expected] of wrong) {
    test(`${what} turns npm test red, and the other files still run`, async () => {
      const { code, said } = await run([text, GREEN])
      assert.equal(code, 1, said)
      assert.match(said, expected)
      assert.match(said, /✔ .*1\.test\.ts \(1 tests/)
      assert.match(said, /ℹ fail [1-9]/)
    })
  }
}
