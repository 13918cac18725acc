import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { openCache } from '../../src/platform/cache/cache.ts'
import { type Db, openDb } from '../../src/platform/db/db.ts'
import { LEASE_MS } from '../../src/platform/jobs/lease.ts'
import { pausa } from '../kit/basics.ts'
import { emptied, forEachDatabase, openFor } from '../kit/databases.ts'

const HOUR = 3_600_000
const START = '2026-11-14T15:00:00.000Z'
const entry = (key: string, ttlMs = HOUR) => ({ key: `teste/1:${key}`, ttlMs, loadMs: 5_000 })

/** An instant in ISO 8601, so many milliseconds after another. */
const later = (instant: string, ms: number): string => new Date(Date.parse(instant) + ms).toISOString()

/** A node over the database, with a clock of its own to turn. */
function node(db: Db, fonte = 'simulador') {
  const clock = { instant: Date.parse(START) }
  const errors: unknown[] = []
  const log = { error: (fields: object) => void errors.push(fields) }
  const cache = openCache(db, { now: () => new Date(clock.instant), log, fonte })
  return { ...cache, clock, errors }
}

forEachDatabase((dialect, fresh) => {
  const opened = emptied(dialect, fresh)

  test('a value is loaded once and then answered from memory, from the database, and by other nodes', async (t) => {
    const db = await opened(t)
    const first = node(db)
    let loads = 0
    const load = async () => ({ n: ++loads })
    assert.deepEqual(await first.through(entry('a'), load), { value: { n: 1 }, since: START, cached: false })
    assert.deepEqual(await first.through(entry('a'), load), { value: { n: 1 }, since: START, cached: true })
    await first.close()
    const second = node(db)
    assert.deepEqual((await second.find('teste/1:a'))?.value, { n: 1 })
    assert.deepEqual(await second.through(entry('a'), load), { value: { n: 1 }, since: START, cached: true })
    assert.equal(await second.find('teste/1:b'), undefined)
    assert.equal(loads, 1)
    assert.deepEqual(first.errors, [])
    await second.close()
  })

  test('a value is good for its time and no longer', async (t) => {
    const cache = node(await opened(t))
    await cache.through(entry('a'), async () => 'velho')
    cache.clock.instant += HOUR - 1
    assert.equal((await cache.through(entry('a'), async () => 'novo')).value, 'velho')
    cache.clock.instant += 1
    assert.equal(await cache.find('teste/1:a'), undefined)
    assert.deepEqual(await cache.through(entry('a'), async () => 'novo'), {
      value: 'novo',
      since: later(START, HOUR),
      cached: false,
    })
    await cache.close()
  })

  test('a value may say itself for how long it is good, and one that says for no time is not stored', async (t) => {
    const cache = node(await opened(t))
    const good = { ...entry('a'), ttlMs: ({ horas }: { horas: number }) => horas * HOUR }
    await cache.through(good, async () => ({ horas: 2 }))
    cache.clock.instant += 2 * HOUR - 1
    assert.deepEqual(await cache.through(good, async () => ({ horas: -1 })), {
      value: { horas: 2 },
      since: START,
      cached: true,
    })
    cache.clock.instant += 1
    assert.equal((await cache.through(good, async () => ({ horas: -1 }))).value.horas, -1)
    assert.equal(await cache.find('teste/1:a'), undefined)
    await cache.close()
  })

  test('a value got by other means is stored like a loaded one', async (t) => {
    const db = await opened(t)
    const cache = node(db)
    await cache.put({ key: 'teste/1:a', ttlMs: HOUR }, 'pronto')
    await cache.put({ key: 'teste/1:b', ttlMs: (value: string) => (value === 'pronto' ? 0 : HOUR) }, 'pronto')
    await cache.close()
    const next = node(db)
    assert.equal((await next.find('teste/1:a'))?.value, 'pronto')
    assert.equal(await next.find('teste/1:b'), undefined)
    next.clock.instant += HOUR
    assert.equal(await next.find('teste/1:a'), undefined)
    await next.close()
  })

  test('times that are no whole milliseconds are taken', async (t) => {
    const cache = node(await opened(t))
    const left = { ...entry('a'), ttlMs: HOUR + 0.25, loadMs: 44_999.084 }
    assert.deepEqual(await cache.through(left, async () => 'ok'), {
      value: 'ok',
      since: START,
      cached: false,
    })
    await cache.close()
    assert.deepEqual(cache.errors, [])
  })

  test('a failure is never stored, and everybody who waited for it hears of it', async (t) => {
    const cache = node(await opened(t))
    const gate = Promise.withResolvers<void>()
    const failing = async () => {
      await gate.promise
      throw new Error('fora do ar')
    }
    const asked = [1, 2, 3].map(() => assert.rejects(cache.through(entry('a'), failing), /fora do ar/))
    gate.resolve()
    await Promise.all(asked)
    assert.deepEqual(await cache.through(entry('a'), async () => 'ok'), {
      value: 'ok',
      since: START,
      cached: false,
    })
    await cache.close()
  })

  test('equal questions in flight are asked once', async (t) => {
    const cache = node(await opened(t))
    let loads = 0
    const load = async () => {
      loads += 1
      await new Promise(setImmediate)
      return 'ok'
    }
    const answers = await Promise.all([1, 2, 3, 4].map(() => cache.through(entry('a'), load)))
    assert.deepEqual(
      answers.map(({ value }) => value),
      ['ok', 'ok', 'ok', 'ok'],
    )
    assert.equal(loads, 1)
    await cache.close()
  })

  test('a question that comes just as the load ends is not asked again', async (t) => {
    const db = await opened(t)
    const cache = node(db)
    const gate = Promise.withResolvers<void>()
    const started = Promise.withResolvers<void>()
    let loads = 0
    const load = async () => {
      loads += 1
      started.resolve()
      await gate.promise
      return 'ok'
    }
    const first = cache.through(entry('a'), load)
    await started.promise
    const second = cache.through(entry('a'), load)
    gate.resolve()
    assert.deepEqual([(await first).value, (await second).value, loads], ['ok', 'ok', 1])
    await cache.close()
  })

  test('what the simulator answered is never given for what an authority would', async (t) => {
    const db = await opened(t)
    const [simulator, live] = [node(db), node(db, 'producao')]
    await simulator.through(entry('a'), async () => 'fictício')
    await simulator.close()
    assert.equal(await live.find('teste/1:a'), undefined)
    assert.equal((await live.through(entry('a'), async () => 'real')).value, 'real')
    await live.close()
  })

  test('what expired is swept, however much it is', async (t) => {
    const db = await opened(t)
    const cache = node(db)
    const keys = Array.from({ length: 250 }, (_, i) => `antigo-${i}`)
    await Promise.all(keys.map((key) => cache.through(entry(key), async () => [])))
    const longs = Array.from({ length: 12 }, (_, i) => `longo-${i}`)
    await Promise.all(longs.map((key) => cache.through(entry(key), async () => 'x'.repeat(300_000))))
    await cache.close()
    const next = node(db)
    next.clock.instant += 2 * HOUR
    assert.equal(await next.sweep(), 262)
    assert.deepEqual(await db.kysely.selectFrom('cache').selectAll().execute(), [])
    await next.close()
  })

  test('a sweep ends with the service, and the next one does the rest', async (t) => {
    const db = await opened(t)
    const cache = node(db)
    await cache.through(entry('antigo'), async () => [])
    await cache.close()
    const next = node(db)
    next.clock.instant += 2 * HOUR
    assert.equal(await next.sweep(AbortSignal.abort()), 0)
    assert.equal(await next.sweep(new AbortController().signal), 1)
    await next.close()
  })

  if (dialect === 'sqlite')
    test('while much is swept, others ask the embedded database in between', async (t) => {
      const db = await opened(t)
      const cache = node(db)
      const keys = Array.from({ length: 250 }, (_, i) => `antigo-${i}`)
      await Promise.all(keys.map((key) => cache.through(entry(key), async () => [])))
      await cache.close()
      const next = node(db)
      next.clock.instant += 2 * HOUR
      const left = new Set<number>()
      let isOver = false
      const sweeping = next.sweep().finally(() => {
        isOver = true
      })
      while (!isOver) {
        left.add((await db.kysely.selectFrom('cache').select('chave').execute()).length)
        await nextTurn()
      }
      await sweeping
      assert.ok([...left].filter((rows) => rows > 0 && rows < 250).length >= 3, [...left].join())
      await next.close()
    })

  test('no document stands in the database, and what expired is swept', async (t) => {
    const db = await opened(t)
    const cache = node(db)
    await cache.through(entry('cpf:52998224725'), async () => [])
    await cache.through(entry('longo', 3 * HOUR), async () => [])
    await cache.close()
    const rows = await db.kysely.selectFrom('cache').selectAll().execute()
    assert.equal(rows.length, 2)
    for (const row of rows) assert.match(row.chave, /^[0-9a-f]{64}$/)
    const next = node(db)
    next.clock.instant += 2 * HOUR
    assert.equal(await next.sweep(), 1)
    assert.equal((await db.kysely.selectFrom('cache').selectAll().execute()).length, 1)
    await next.close()
  })

  // The embedded database has only one server.
  if (dialect === 'sqlite') return

  test('two nodes that share a database load a key once between them', async (t) => {
    const db = await opened(t)
    const nodes = [node(db), node(db)]
    let loads = 0
    const answers = await Promise.all(
      nodes.map((each) => each.through(entry('a'), async () => ({ n: ++loads }))),
    )
    assert.deepEqual(
      answers.map(({ value }) => value),
      [{ n: 1 }, { n: 1 }],
    )
    await Promise.all(nodes.map((each) => each.close()))
  })

  // Each waits for a lease to end, on a database of its own.
  describe('a turn that another node has', { concurrency: true }, () => {
    test('a caller waits for another node no longer than for a load of its own, and is told that no time is left', async (t) => {
      const db = await openFor(t, await fresh(t))
      const [slow, waiting] = [node(db), node(db)]
      const gate = Promise.withResolvers<string>()
      const started = Promise.withResolvers<void>()
      const loading = slow.through(entry('a'), () => {
        started.resolve()
        return gate.promise
      })
      await started.promise
      const left = await waiting.through({ ...entry('a'), loadMs: 50 }, async (leftMs) => leftMs)
      assert.deepEqual(left, { value: 0, since: START, cached: false })
      gate.resolve('ok')
      await loading
      await Promise.all([slow.close(), waiting.close()])
    })

    test("a dead node's turn is taken over by who waits, with all the time of a load of its own", async (t) => {
      const place = await fresh(t)
      const doomed = await openDb(place)
      const [dead, alive] = [node(doomed), node(await openFor(t, place))]
      const started = Promise.withResolvers<void>()
      void dead.through(entry('a'), () => {
        started.resolve()
        return new Promise(() => {})
      })
      await started.promise
      // A node without its connections gives no more signs of life.
      await doomed.close()
      const taken = await alive.through({ ...entry('a'), loadMs: 50 }, async (leftMs) => leftMs)
      assert.deepEqual(taken, { value: 50, since: START, cached: false })
      await alive.close()
    })

    test('a node that loads for longer than a turn stands keeps it, as it lives', async (t) => {
      const place = await fresh(t)
      const [slow, waiting] = [node(await openFor(t, place)), node(await openFor(t, place))]
      const gate = Promise.withResolvers<string>()
      const started = Promise.withResolvers<void>()
      const loading = slow.through({ ...entry('a'), loadMs: 30_000 }, () => {
        started.resolve()
        return gate.promise
      })
      await started.promise
      const other = waiting.through({ ...entry('a'), loadMs: 30_000 }, () => assert.fail('asked twice'))
      // Waits until the node has renewed its turn beyond the first lease.
      const db = await openFor(t, place)
      const ateOf = async () =>
        (await db.kysely.selectFrom('posses').select('ate').executeTakeFirst())?.ate ?? 0
      const first = await ateOf()
      while ((await ateOf()) < first + LEASE_MS) await pausa()
      gate.resolve('ok')
      assert.deepEqual(await Promise.all([loading, other]), [
        { value: 'ok', since: START, cached: false },
        { value: 'ok', since: START, cached: true },
      ])
      await Promise.all([slow.close(), waiting.close()])
    })
  })
})
