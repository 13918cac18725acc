import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { createFila, FilaCheia, type Tamanho } from '../../src/sources/threads/queue.ts'

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

/** A queue whose work ends when it is told to, and the names of those whose turn came, in order. */
function cena(tamanho: Tamanho) {
  const fila = createFila(tamanho)
  const vezes: string[] = []
  const ends: (() => void)[] = []
  return {
    vezes,
    ask: (dono: string, name: string, how: { signal?: AbortSignal; waitMs?: number } = {}): Promise<string> =>
      fila({ dono, ...how }, async () => {
        vezes.push(name)
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

const refused = (parte: string) => (error: unknown) => error instanceof FilaCheia && error.parte === parte

describe('a queue that is bounded, fair by owner and left by who hangs up', () => {
  test('turns go round the owners: one who sends much waits among his own', async () => {
    const { ask, vezes, endOne } = cena({ vagas: 1, espera: 9, porDono: 9 })
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
    assert.deepEqual(vezes, ['a1', 'a2', 'b1', 'c1', 'a3', 'b2', 'a4'])
    assert.deepEqual(await Promise.all(all), ['a1', 'a2', 'a3', 'a4', 'b1', 'c1', 'b2'])
  })

  test('an owner whose share is full is refused at once, and another is not', async () => {
    const { ask } = cena({ vagas: 1, espera: 9, porDono: 2 })
    void ask('a', 'a1')
    void ask('a', 'a2')
    void ask('a', 'a3')
    await assert.rejects(ask('a', 'a4'), refused('dono'))
    void ask('b', 'b1')
    await assert.rejects(ask('a', 'a5'), refused('dono'))
  })

  test('a queue that is full refuses everybody', async () => {
    const { ask } = cena({ vagas: 1, espera: 2, porDono: 2 })
    for (const dono of ['a', 'b', 'c']) void ask(dono, dono)
    await assert.rejects(ask('d', 'd'), refused('todos'))
  })

  test('who hangs up leaves the queue, and his place is free', async () => {
    const { ask, vezes, endOne } = cena({ vagas: 1, espera: 1, porDono: 1 })
    void ask('a', 'a1')
    const left = new AbortController()
    const waiting = ask('b', 'b1', { signal: left.signal })
    left.abort(new Error('gone'))
    await assert.rejects(waiting, /gone/)
    const next = ask('c', 'c1')
    await endOne()
    assert.deepEqual(vezes, ['a1', 'c1'])
    await endOne()
    assert.equal(await next, 'c1')
    await assert.rejects(ask('b', 'b2', { signal: left.signal }), /gone/)
  })

  test('who cannot wait any longer is refused as if the queue were full', async () => {
    const { ask, endOne, vezes } = cena({ vagas: 1, espera: 1, porDono: 1 })
    void ask('a', 'a1')
    await assert.rejects(ask('b', 'b1', { waitMs: 1 }), refused('todos'))
    await endOne()
    void ask('b', 'b2', { waitMs: 1 })
    await settled()
    assert.deepEqual(vezes, ['a1', 'b2'])
  })

  test('work that fails gives its place on', async () => {
    const fila = createFila({ vagas: 1, espera: 1, porDono: 1 })
    const failing = fila({ dono: 'a' }, () => Promise.reject(new Error('broken')))
    const next = fila({ dono: 'b' }, async () => 'b1')
    await assert.rejects(failing, /broken/)
    assert.equal(await next, 'b1')
  })
})
