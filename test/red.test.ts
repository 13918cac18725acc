import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'

/** The exit code of a run of its own, of one test that begins as ours on PostgreSQL do. */
function run(outcome: string): number | null {
  const folder = mkdtempSync(join(tmpdir(), 'vermelho-'))
  const file = join(folder, 'um.test.mjs')
  const postgres = new URL('./store/postgres.ts', import.meta.url).href
  writeFileSync(
    file,
    `import '${postgres}'\nimport { test } from 'node:test'\ntest('one', () => { ${outcome} })\n`,
  )
  // The runner marks the processes that it starts, and one so marked reports to it alone.
  const { NODE_TEST_CONTEXT: _, ...env } = process.env
  const { status } = spawnSync(process.execPath, ['--test', '--test-isolation=none', file], { env })
  rmSync(folder, { recursive: true })
  return status
}

test('a test that fails turns the whole run red, also where PostgreSQL was in it', () => {
  assert.equal(run(''), 0)
  assert.equal(run("throw new Error('no')"), 1)
})
