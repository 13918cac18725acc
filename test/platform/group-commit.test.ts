import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DatabaseAway } from '../../src/platform/db/outage.ts'
import { openGroupCommit } from '../../src/platform/db/queries.ts'

test('what arrives in one turn shares a commit, and what arrives during a commit shares the next', async () => {
  const groups: number[][] = []
  let release = (): void => {}
  const gate = new Promise<void>((resolve) => {
    release = resolve
  })
  const group = openGroupCommit(async (items: number[]) => {
    groups.push(items)
    if (groups.length === 1) await gate
    return items
  })
  const first = [group.add(1), group.add(2)]
  await new Promise(setImmediate)
  await new Promise(setImmediate)
  const second = [group.add(3), group.add(4)]
  release()
  assert.deepEqual(await Promise.all([...first, ...second]), [1, 2, 3, 4])
  assert.deepEqual(groups, [
    [1, 2],
    [3, 4],
  ])
})

test('nothing is answered before its commit has returned', async () => {
  let committed = false
  const group = openGroupCommit(async (items: number[]) => {
    await new Promise(setImmediate)
    committed = true
    return items
  })
  await group.add(1)
  assert.equal(committed, true)
})

test('a group that fails is tried one by one, and only the culprit fails', async () => {
  const group = openGroupCommit(async (items: string[]) => {
    if (items.includes('bad')) throw new Error('bad')
    return items
  })
  const results = await Promise.allSettled(['a', 'bad', 'b'].map(group.add))
  assert.deepEqual(
    results.map(({ status }) => status),
    ['fulfilled', 'rejected', 'fulfilled'],
  )
})

test('a group is never larger than its cap', async () => {
  const sizes: number[] = []
  const group = openGroupCommit(
    async (items: number[]) => {
      sizes.push(items.length)
      return items
    },
    { max: 10 },
  )
  await Promise.all(Array.from({ length: 25 }, (_, i) => group.add(i)))
  assert.deepEqual(sizes, [10, 10, 5])
})

test('when the database cannot be reached everyone in the group is told at once', async () => {
  let tries = 0
  const group = openGroupCommit(async (_items: number[]) => {
    tries += 1
    throw new DatabaseAway(new Error('connect ECONNREFUSED'), { lost: true })
  })
  const results = await Promise.allSettled([1, 2, 3].map(group.add))
  assert.ok(results.every(({ status }) => status === 'rejected'))
  assert.equal(tries, 1)
})

test('who waits too long behind a commit that does not end is refused, and is not committed later', async () => {
  const gate = Promise.withResolvers<void>()
  const committed: number[] = []
  const group = openGroupCommit(
    async (items: number[]) => {
      committed.push(...items)
      await gate.promise
      return items
    },
    { waitMs: 5 },
  )
  const first = group.add(1)
  while (committed.length === 0) await new Promise(setImmediate)
  const [late, later] = [group.add(2), group.add(3)]
  await assert.rejects(late, DatabaseAway)
  await assert.rejects(later, DatabaseAway)
  assert.ok(group.oldestMs() >= 5)
  gate.resolve()
  assert.equal(await first, 1)
  await group.close()
  assert.deepEqual(committed, [1])
  assert.equal(group.oldestMs(), 0)
})
