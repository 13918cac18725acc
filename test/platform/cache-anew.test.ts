import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import { type TestContext, test } from 'node:test'
import { NOTHING_KEPT, openCache } from '../../src/platform/cache/cache.ts'
import type { Db } from '../../src/platform/db/db.ts'
import { LEASE_MS, takeLease } from '../../src/platform/jobs/lease.ts'
import { NOW } from '../kit/basics.ts'
import { emptied, forEachDatabase } from '../kit/databases.ts'

const HOUR = 3_600_000
const KEY = 'teste/1:a'
const entry = (maxAgeMs?: number) => ({ key: KEY, ttlMs: 24 * HOUR, loadMs: 5_000, maxAgeMs })
const anew = entry(NOTHING_KEPT)

/** So many milliseconds after the tests' clock began, in ISO 8601. */
const at = (ms: number): string => new Date(NOW.getTime() + ms).toISOString()

/** The clock of all nodes of a test. */
const newClock = () => ({ ms: 0, now: () => new Date(NOW.getTime() + clock.ms) })
let clock = newClock()

function node(db: Db) {
  const log = { error: (fields: object) => assert.fail(String(Object(fields).err)) }
  return openCache(db, { now: clock.now, log, fonte: 'simulador' })
}

/** A load that tells that it began, and ends when it is let go. */
function heldBack(value: string) {
  const [began, gate] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  let loads = 0
  const load = async () => {
    loads += 1
    began.resolve()
    await gate.promise
    return value
  }
  return { load, began: began.promise, letGo: gate.resolve, loads: () => loads }
}

/** A handle on a database; `answers(n)` resolves when it has n more answers. */
function watched(db: Db): { db: Db; answers: (count: number) => Promise<void> } {
  const waiting: (() => void)[] = []
  const kysely = db.kysely.withPlugin({
    transformQuery: ({ node }) => node,
    transformResult: async ({ result }) => {
      waiting.shift()?.()
      return result
    },
  })
  const answer = () => new Promise<void>((resolve) => waiting.push(resolve))
  const answers = async (count: number) => void (await Promise.all(Array.from({ length: count }, answer)))
  return { db: { ...db, kysely }, answers }
}

const failing = () => Promise.reject(new Error('fora do ar'))
const unwanted = () => assert.fail('it was loaded')

forEachDatabase((dialect, fresh) => {
  const database = emptied(dialect, fresh)
  const opened = (t: TestContext) => {
    clock = newClock()
    return database(t)
  }

  test('a value tells since when it is known, from memory and from the database', async (t) => {
    const db = await opened(t)
    const first = node(db)
    await first.through(entry(), async () => 'um')
    clock.ms = HOUR
    assert.deepEqual(await first.through(entry(), unwanted), { value: 'um', since: at(0), cached: true })
    await first.close()
    const second = node(db)
    const { value, since } = (await second.find<string>(KEY)) ?? {}
    assert.deepEqual([value, since], ['um', at(0)])
    await second.close()
  })

  test('a caller takes a value of the age that it names, and loads one that is a millisecond older', async (t) => {
    const cache = node(await opened(t))
    await cache.through(entry(), async () => 'velho')
    clock.ms = 60_000
    assert.equal((await cache.find(KEY, 60_000))?.value, 'velho')
    assert.equal((await cache.through(entry(60_000), unwanted)).value, 'velho')
    clock.ms += 1
    assert.equal(await cache.find(KEY, 60_000), undefined)
    const loaded = await cache.through(entry(60_000), async () => 'novo')
    assert.deepEqual(loaded, { value: 'novo', since: at(60_001), cached: false })
    assert.equal((await cache.through(entry(), unwanted)).value, 'novo', 'it replaces the kept one')
    await cache.close()
  })

  test('a caller that wants nothing kept gets nothing kept, not even of this instant', async (t) => {
    const cache = node(await opened(t))
    await cache.through(entry(), async () => 'velho')
    assert.equal(await cache.find(KEY, NOTHING_KEPT), undefined)
    assert.equal((await cache.through(anew, async () => 'novo')).value, 'novo')
    await cache.close()
  })

  test('a clock that was set back makes no value too young to be refused', async (t) => {
    const cache = node(await opened(t))
    await cache.through(entry(), async () => 'velho')
    clock.ms = -1_000
    assert.equal((await cache.through(anew, async () => 'novo')).value, 'novo')
    assert.equal((await cache.find(KEY, 0))?.value, 'novo')
    await cache.close()
  })

  test('a failed load leaves the kept value to the next caller', async (t) => {
    const db = await opened(t)
    const cache = node(db)
    await cache.through(entry(), async () => 'velho')
    clock.ms = HOUR
    await assert.rejects(cache.through(anew, failing), /fora do ar/)
    const kept = { value: 'velho', since: at(0), cached: true }
    assert.deepEqual(await cache.through(entry(), unwanted), kept)
    await cache.close()
    const next = node(db)
    assert.deepEqual(await next.through(entry(), unwanted), kept)
    await next.close()
  })

  test('a value that is good for no time ends the one that it would replace', async (t) => {
    const db = await opened(t)
    const cache = node(db)
    await cache.through(entry(), async () => 'velho')
    await cache.through({ ...anew, ttlMs: 0 }, async () => 'vencido')
    assert.equal(await cache.find(KEY), undefined)
    await cache.close()
    const next = node(db)
    assert.equal(await next.find(KEY), undefined)
    await next.close()
  })

  test('a value may be ended, here and for every node', async (t) => {
    const db = await opened(t)
    const cache = node(db)
    await cache.through(entry(), async () => 'velho')
    await cache.forget(KEY)
    assert.equal(await cache.find(KEY), undefined)
    await cache.put({ key: KEY, ttlMs: HOUR }, 'novo')
    assert.equal((await cache.find(KEY))?.value, 'novo')
    await cache.forget(KEY)
    await cache.close()
    const next = node(db)
    assert.equal(await next.find(KEY), undefined)
    await next.close()
  })

  test('a value that is stored while an older one is read is not lost to it', async (t) => {
    const db = await opened(t)
    const first = node(db)
    await first.through(entry(), async () => 'velho')
    await first.close()
    const next = node(db)
    const reading = next.find(KEY)
    const stored = next.put({ key: KEY, ttlMs: HOUR }, 'novo')
    assert.equal((await reading)?.value, 'novo')
    assert.equal((await next.find(KEY))?.value, 'novo')
    await stored
    await next.close()
  })

  test('callers who want nothing kept share the load that runs when they come', async (t) => {
    const { db, answers } = watched(await opened(t))
    const cache = node(db)
    await cache.through(entry(), async () => 'velho')
    const { load, began, letGo, loads } = heldBack('novo')
    const first = cache.through(anew, load)
    await began
    const looked = dialect === 'postgres' && answers(2)
    const late = [1, 2].map(() => cache.through(anew, unwanted))
    await looked
    assert.equal((await cache.through(entry(), unwanted)).value, 'velho', 'nobody else waits for it')
    letGo()
    const values = (await Promise.all([first, ...late])).map(({ value }) => value)
    assert.deepEqual([values, loads()], [['novo', 'novo', 'novo'], 1])
    await cache.close()
  })

  test('a value of the version before is not found', async (t) => {
    const db = await opened(t)
    const cache = node(db)
    await cache.through(entry(), async () => 'novo')
    await cache.close()
    const rows = await db.kysely.selectFrom('cache').selectAll().execute()
    assert.deepEqual(
      rows.map(({ valor }) => valor),
      [`${at(0)}"novo"`],
    )
    assert.notEqual(rows[0]?.chave, hash('sha256', `simulador:${KEY}`))
  })

  // The embedded database has only one server.
  if (dialect === 'sqlite') return

  test('a load that runs on a node of the version before has the turn', async (t) => {
    const db = await opened(t)
    const cache = node(db)
    const nome = `carga:${hash('sha256', `simulador:${KEY}`)}`
    assert.equal(await takeLease(db, { nome, dono: 'nó antigo' }, 10 * LEASE_MS), 'free')
    const waited = await cache.through({ ...entry(), loadMs: 50 }, async (leftMs) => leftMs)
    assert.equal(waited.value, 0)
    await cache.close()
  })

  test('nodes whose callers want nothing kept at once load once between them', async (t) => {
    const db = await opened(t)
    const { db: seen, answers } = watched(db)
    const [one, other] = [node(db), node(seen)]
    await one.through(entry(), async () => 'velho')
    await other.find(KEY)
    clock.ms = HOUR
    const { load, began, letGo, loads } = heldBack('novo')
    const first = one.through(anew, load)
    await began
    const looked = answers(2)
    const waiting = other.through(anew, unwanted)
    const later = other.through(entry(HOUR - 1), unwanted)
    await looked
    letGo()
    const values = (await Promise.all([first, waiting, later])).map(({ value }) => value)
    assert.deepEqual([values, loads()], [['novo', 'novo', 'novo'], 1])
    await Promise.all([one.close(), other.close()])
  })

  test('a node whose clock is behind gives its new value to callers of the others', async (t) => {
    const db = await opened(t)
    const behind = openCache(db, {
      now: () => new Date(clock.now().getTime() - HOUR),
      log: { error: () => assert.fail('logged') },
      fonte: 'simulador',
    })
    const { db: seen, answers } = watched(db)
    const other = node(seen)
    const { load, began, letGo } = heldBack('novo')
    const first = behind.through(anew, load)
    await began
    const looked = answers(1)
    const waiting = other.through(anew, unwanted)
    // A caller who comes later would find the value there.
    await looked
    letGo()
    assert.deepEqual([(await first).value, (await waiting).value], ['novo', 'novo'])
    await Promise.all([behind.close(), other.close()])
  })

  test('a value that another node has replaced is given for five seconds more, and to nobody who wants a younger one', async (t) => {
    const db = await opened(t)
    const [one, other] = [node(db), node(db)]
    await one.through(entry(), async () => 'velho')
    clock.ms = HOUR
    await other.find(KEY)
    await one.through(anew, async () => 'novo')
    clock.ms += 4_999
    assert.equal((await other.find(KEY))?.value, 'velho')
    assert.equal((await other.through(entry(HOUR), unwanted)).value, 'novo')
    clock.ms += 1_000
    await one.through(anew, async () => 'terceiro')
    const last = await other.through(anew, async () => 'quarto')
    assert.equal(last.value, 'quarto', 'the third was there when the caller came')
    await one.forget(KEY)
    clock.ms += 5_000
    assert.equal(await other.find(KEY), undefined)
    await Promise.all([one.close(), other.close()])
  })

  test('a clock that was set back makes no node believe a replaced value for longer', async (t) => {
    const db = await opened(t)
    const [one, other] = [node(db), node(db)]
    await one.through(entry(), async () => 'velho')
    await other.find(KEY)
    clock.ms = -HOUR
    await one.through(anew, async () => 'novo')
    assert.equal((await other.find(KEY))?.value, 'novo')
    await Promise.all([one.close(), other.close()])
  })
})
