import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { createQueue, QueueFull, type QueueSize } from '../../src/platform/wire/threads.ts'

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

/** A queue whose work ends when the test says so, and the names of the owners whose turn came, in order. */
function openQueue(size: QueueSize) {
  const queue = createQueue(size)
  const turns: string[] = []
  const ends: (() => void)[] = []
  return {
    turns,
    ask: (
      owner: string,
      name: string,
      how: { signal?: AbortSignal; waitMs?: number } = {},
    ): Promise<string> =>
      queue({ owner, ...how }, async () => {
        turns.push(name)
        await new Promise<void>((resolve) => ends.push(resolve))
        return name
      }),
    /** Ends the work that began first. */
    endOne: async (): Promise<void> => {
      await settled()
      ends.shift()?.()
      await settled()
    },
  }
}

const refused = (part: string) => (error: unknown) => error instanceof QueueFull && error.part === part

describe('a queue that is bounded, fair by owner and left by who hangs up', () => {
  test('turns go round the owners: one who sends much waits among his own', async () => {
    const { ask, turns, endOne } = openQueue({ places: 1, waiting: 9, perOwner: 9 })
    const all = [
      ask('a', 'a1'),
      ask('a', 'a2'),
      ask('a', 'a3'),
      ask('a', 'a4'),
      ask('b', 'b1'),
      ask('c', 'c1'),
      ask('b', 'b2'),
    ]
    for (const _ of all) await endOne()
    assert.deepEqual(turns, ['a1', 'a2', 'b1', 'c1', 'a3', 'b2', 'a4'])
    assert.deepEqual(await Promise.all(all), ['a1', 'a2', 'a3', 'a4', 'b1', 'c1', 'b2'])
  })

  test('an owner whose share is full is refused at once, and another is not', async () => {
    const { ask } = openQueue({ places: 1, waiting: 9, perOwner: 2 })
    void ask('a', 'a1')
    void ask('a', 'a2')
    void ask('a', 'a3')
    await assert.rejects(ask('a', 'a4'), refused('owner'))
    void ask('b', 'b1')
    await assert.rejects(ask('a', 'a5'), refused('owner'))
  })

  test('a queue that is full refuses everybody', async () => {
    const { ask } = openQueue({ places: 1, waiting: 2, perOwner: 2 })
    for (const owner of ['a', 'b', 'c']) void ask(owner, owner)
    await assert.rejects(ask('d', 'd'), refused('all'))
  })

  test('who hangs up leaves the queue, and his place is free', async () => {
    const { ask, turns, endOne } = openQueue({ places: 1, waiting: 1, perOwner: 1 })
    void ask('a', 'a1')
    const left = new AbortController()
    const waiting = ask('b', 'b1', { signal: left.signal })
    left.abort(new Error('gone'))
    await assert.rejects(waiting, /gone/)
    const next = ask('c', 'c1')
    await endOne()
    assert.deepEqual(turns, ['a1', 'c1'])
    await endOne()
    assert.equal(await next, 'c1')
    await assert.rejects(ask('b', 'b2', { signal: left.signal }), /gone/)
  })

  test('who cannot wait any longer is refused as if the queue were full', async () => {
    const { ask, endOne, turns } = openQueue({ places: 1, waiting: 1, perOwner: 1 })
    void ask('a', 'a1')
    await assert.rejects(ask('b', 'b1', { waitMs: 1 }), refused('all'))
    await endOne()
    void ask('b', 'b2', { waitMs: 1 })
    await settled()
    assert.deepEqual(turns, ['a1', 'b2'])
  })

  test('work that fails gives its place on', async () => {
    const queue = createQueue({ places: 1, waiting: 1, perOwner: 1 })
    const failing = queue({ owner: 'a' }, () => Promise.reject(new Error('broken')))
    const next = queue({ owner: 'b' }, async () => 'b1')
    await assert.rejects(failing, /broken/)
    assert.equal(await next, 'b1')
  })
})
