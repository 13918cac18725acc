import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { GREEN, reds, root, runTests, runTexts, testReds } from '../kit/processes.ts'

test('npm test counts the tests of all shards once', async () => {
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

// `npm run test:longo` has the others.
testReds(reds.slice(0, 1))

test('a pattern that finds no file turns npm test red', async () => {
  const { code, said } = await runTests([join(root, 'test/red.test.nada')])
  assert.equal(code, 1, said)
})
