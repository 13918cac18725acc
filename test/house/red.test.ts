import assert from 'node:assert/strict'
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'
import { rowsOf, testOnce } from '../kit/basics.ts'
import { root } from '../kit/processes.ts'

const GREEN = "test('one', () => {})"
const postgres = new URL('../kit/postgres.ts', import.meta.url).href

type End = { code: unknown; said: string }

const runner = join(root, 'test/kit/runner/main.ts')

// Node marks the processes that it starts as a test runner. A marked process reports to that runner alone.
const { NODE_TEST_CONTEXT: _, ...unmarked } = process.env

/** The exit code and the output of `npm test`. */
function runTests(patterns: string[], more: Record<string, string> = {}): Promise<End> {
  const options = { cwd: root, env: { ...unmarked, ...more } }
  return new Promise((resolve) =>
    execFile(process.execPath, [runner, ...patterns], options, (error, stdout, stderr) =>
      resolve({ code: error ? error.code : 0, said: stdout + stderr }),
    ),
  )
}

/**
 * The same for a run whose only tests are files with these texts. Each begins as our tests on PostgreSQL do.
 */
async function runTexts(texts: string[], more: Record<string, string> = {}): Promise<End> {
  const folder = mkdtempSync(join(tmpdir(), 'vermelho-'))
  const files = texts.map((text, i) => {
    const file = join(folder, `${i}.test.ts`)
    writeFileSync(file, `import '${postgres}'\nimport { after, before, test } from 'node:test'\n${text}\n`)
    return file
  })
  return runTests(files, more).finally(() => rmSync(folder, { recursive: true, force: true }))
}

/** What turns npm test red, the file that does it, and what is said then. */
const reds: [what: string, text: string, said: RegExp][] = [
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
function testReds(wrong: readonly (typeof reds)[number][]): void {
  for (const [what, text, expected] of wrong) {
    test(`${what} turns npm test red, and the other files still run`, async () => {
      const { code, said } = await runTexts([text, GREEN])
      assert.equal(code, 1, said)
      assert.match(said, expected)
      assert.match(said, /✔ .*1\.test\.ts \(1 tests/)
      assert.match(said, /ℹ fail [1-9]/)
    })
  }
}

testOnce('npm test counts the tests of all shards once', async () => {
  // Each file takes a shard, whose start is what this test costs.
  const { code, said } = await runTexts([
    `${GREEN}\n${GREEN}\ntest('two', async (t) => { await t.test('in two', () => {}) })`,
    `test('left out', { skip: true }, () => {})
${GREEN}
test('to do', { todo: true }, () => { throw new Error('not yet') })`,
  ])
  assert.equal(code, 0, said)
  assert.match(said, /ℹ tests 7\nℹ pass 5\nℹ fail 0\nℹ skipped 1\nℹ todo 1\n/)
})

testReds(rowsOf(reds))

testOnce(
  'a process that takes too much memory turns npm test red, and it is told in which file',
  async () => {
    const heavy = `test('one', async () => {
  const { spawn } = await import('node:child_process')
  const child = spawn(process.execPath, ['-e', 'Buffer.alloc(3e8, 1); console.log(); process.stdin.resume()'])
  await new Promise((resolve) => child.stdout.once('data', resolve))
  for (const one of [child, child.stdin, child.stdout, child.stderr]) one.unref()
})`
    const { code, said } = await runTexts([heavy], { TEST_MEMORY_MB: '300' })
    assert.equal(code, 1, said)
    assert.match(said, /✔ .*0\.test\.ts \(1 tests/)
    assert.match(said, /✖ a process took too much memory\n.*0\.test\.ts\n +3\d\d MB, and 300 are.* -e Buffer/)
    assert.match(said, /ℹ memory_mb 3\d\d \(.*0\.test\.ts: .*\)\n/)
  },
)

testOnce('a run whose output nobody reads ends, and says nothing', async () => {
  const args = [runner, join(root, 'test/house/names.test.ts')]
  const run = spawn(process.execPath, args, { cwd: root, env: unmarked, stdio: ['ignore', 'pipe', 'pipe'] })
  run.stdout.destroy()
  const [said, [code]] = await Promise.all([text(run.stderr), once(run, 'close')])
  assert.deepEqual([code, said], [1, ''])
})

testOnce('a program of the tests that nobody reads ends, and says nothing', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'vermelho-'))
  const args = [join(root, 'test/kit/children.ts'), 'work', join(folder, 'banco.db'), '1']
  const run = spawn(process.execPath, args, { env: unmarked, stdio: ['ignore', 'pipe', 'pipe'] })
  run.stdout.destroy()
  const [said, [code]] = await Promise.all([text(run.stderr), once(run, 'close')])
  rmSync(folder, { recursive: true, force: true })
  assert.deepEqual([code, said], [1, ''])
})

testOnce('a pattern that finds no file turns npm test red', async () => {
  const { code, said } = await runTests([join(root, 'test/red.test.nada')])
  assert.equal(code, 1, said)
})
