import assert from 'node:assert/strict'
import { test } from 'node:test'
import { PATHS, putAnterior, root, SKIPPED, settingsOf, startTree } from '../kit/deploy.ts'
import { addressOf } from '../kit/processes.ts'

// `npm run test:longo` has the way back, and nodes that are replaced one by one.
test('on the embedded database the new version goes on where the one before ended, with its keys and books', async (t) => {
  const tree = await putAnterior(t)
  if (!tree) return t.skip(SKIPPED)
  const env = await settingsOf(t, '')
  const left: (string | null)[] = []
  let key: string | undefined
  for (const version of [tree, root]) {
    const program = await startTree(t, version, env)
    key ??= /fk_\w{38}/.exec(program.said())?.[0]
    const response = await fetch(addressOf(program) + PATHS[0], { headers: { 'X-API-Key': key ?? '' } })
    assert.equal(response.status, 200)
    left.push(response.headers.get('x-credits-remaining'))
    assert.equal(await program.stop(), 0)
  }
  assert.deepEqual(left, ['9999', '9998'], 'nothing is lost')
})
