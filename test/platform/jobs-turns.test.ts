import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import type { Db } from '../../src/platform/db/db.ts'
import { type Jobs, openJobs } from '../../src/platform/jobs/jobs.ts'
import { NOW } from '../kit/basics.ts'
import { forEachDatabase, openFor, type Place } from '../kit/databases.ts'
import { contar, pass } from '../kit/jobs.ts'

const LEASE_MS = 60_000
const DONE = { type: 'done', result: null, keptMs: 60_000 } as const

type Node = { db: Db; jobs: Jobs }

/** Asks for `count` jobs of an account, each a moment after the one before. `first` numbers them. */
async function ask({ db, jobs }: Node, conta: string, first: number, count: number): Promise<void> {
  for (let numero = first; numero < first + count; numero++) {
    await jobs.enqueue(contar, { numero }, { conta })
    await pass(db, 10)
  }
}

const claim = async ({ jobs }: Node, count: number, leaseMs = LEASE_MS) =>
  (await jobs.claim(contar, { count, leaseMs })).jobs

const numbersOf = (claimed: readonly { payload: { numero: number } }[]): number[] =>
  claimed.map(({ payload }) => payload.numero).sort((one, other) => one - other)

forEachDatabase((_dialect, fresh) => {
  async function node(t: TestContext, place: Place): Promise<Node> {
    const db = await openFor(t, place)
    return { db, jobs: openJobs(db, { now: () => NOW }) }
  }

  test('an account with 50 jobs does not keep one with a single job waiting', async (t) => {
    const one = await node(t, await fresh(t))
    await ask(one, 'muitas', 0, 50)
    await ask(one, 'uma', 100, 1)
    assert.deepEqual(numbersOf(await claim(one, 2)), [0, 100])
    assert.deepEqual(numbersOf(await claim(one, 3)), [1, 2, 3], 'alone again, it has all the places')
  })

  test('of accounts that wait, the one with the fewest running jobs is next, a newcomer first of all', async (t) => {
    const one = await node(t, await fresh(t))
    await ask(one, 'a', 0, 50)
    assert.deepEqual(numbersOf(await claim(one, 3)), [0, 1, 2])
    await ask(one, 'b', 100, 3)
    assert.deepEqual(numbersOf(await claim(one, 1)), [100])
    await ask(one, 'c', 200, 3)
    const [newest] = await claim(one, 1)
    assert.equal(newest?.payload.numero, 200)
    assert.deepEqual(numbersOf(await claim(one, 4)), [101, 102, 201, 202], 'until each has as many')
    await ask(one, 'c', 203, 2)
    assert.ok(newest && (await one.jobs.finish(newest, DONE)))
    assert.deepEqual(numbersOf(await claim(one, 1)), [203], 'what ended does not count')
    assert.deepEqual(numbersOf(await claim(one, 3)), [3, 4, 204], 'the oldest among equals')
  })

  test('a claim takes jobs of its kind alone, and those of another kind that run count in no turn', async (t) => {
    const one = await node(t, await fresh(t))
    const other = { ...contar, kind: 'outro' }
    for (const numero of [1, 2]) await one.jobs.enqueue(other, { numero }, { conta: 'a' })
    await ask(one, 'a', 10, 2)
    await ask(one, 'b', 100, 1)
    const { jobs } = await one.jobs.claim(other, { count: 10, leaseMs: LEASE_MS })
    assert.deepEqual(numbersOf(jobs), [1, 2])
    assert.deepEqual(numbersOf(await claim(one, 1)), [10], 'the oldest among equals')
    assert.deepEqual(numbersOf(await claim(one, 10)), [11, 100])
  })

  test('two nodes that claim at once take the turns that one node would', async (t) => {
    const place = await fresh(t)
    const [one, other] = [await node(t, place), await node(t, place)]
    await ask(one, 'a', 0, 50)
    await ask(one, 'b', 100, 4)
    await ask(one, 'c', 200, 4)
    const turns = Array.from({ length: 12 }, (_, turn) => claim(turn % 2 ? one : other, 1))
    const claimed = (await Promise.all(turns)).flat()
    assert.deepEqual(numbersOf(claimed), [0, 1, 2, 3, 100, 101, 102, 103, 200, 201, 202, 203])
  })

  test('jobs without an account take turns as one account does: neither side waits for the other', async (t) => {
    const one = await node(t, await fresh(t))
    await ask(one, '', 0, 50)
    await ask(one, 'a', 100, 50)
    await ask(one, 'b', 200, 1)
    assert.deepEqual(numbersOf(await claim(one, 7)), [0, 1, 2, 100, 101, 102, 200])
  })

  test('what a dead node had does not count as running, and is claimed again in its account’s turn', async (t) => {
    const place = await fresh(t)
    const [dead, living] = [await node(t, place), await node(t, place)]
    await ask(dead, 'a', 0, 4)
    for (const more of [0, 10, 20]) await claim(dead, 1, LEASE_MS + more)
    await ask(living, 'b', 100, 3)
    assert.deepEqual(numbersOf(await claim(living, 1, 2 * LEASE_MS)), [100])
    await pass(living.db, LEASE_MS + 20)
    const claimed = await claim(living, 3)
    assert.deepEqual(numbersOf(claimed), [0, 3, 101])
    assert.equal(claimed.find(({ payload }) => payload.numero === 0)?.attempt, 2)
  })

  test('a job that rests after a failure gives its turn to the next of its account', async (t) => {
    const one = await node(t, await fresh(t))
    await ask(one, 'a', 0, 2)
    await ask(one, 'b', 100, 2)
    const [first] = await claim(one, 1)
    assert.ok(first && first.conta === 'a')
    await one.jobs.finish(first, { type: 'again', reason: 'a fonte não respondeu', delayMs: 30_000 })
    assert.deepEqual(numbersOf(await claim(one, 2)), [1, 100])
    await pass(one.db, 30_000)
    const [repeated] = (await claim(one, 2)).filter(({ conta }) => conta === 'a')
    assert.deepEqual([repeated?.payload.numero, repeated?.attempt], [0, 2])
  })
})
