import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { sql } from 'kysely'
import { openAttempts } from '../../src/contas/store-tentativas.ts'
import type { Db } from '../../src/platform/db/db.ts'
import { openWindowCount } from '../../src/platform/limits.ts'
import { NOW, vezes } from '../kit/basics.ts'
import { forEachDatabase, openFor } from '../kit/databases.ts'

const SECRET = 'segredo-do-servidor-para-os-testes-de-tentativas'
const EMAIL = 'ana@exemplo.com.br'

/** A network that nobody else has. */
const rede = (n: number): string => `2001:db8:${(n >> 16).toString(16)}:${(n & 0xffff).toString(16)}`

const entrarDe = (de: string, email: string) =>
  [
    ['entrar/endereco', de],
    ['entrar/par', `${email} ${de}`],
    ['entrar/email', email],
  ] as const

const rowsOf = async ({ kysely }: Db): Promise<Record<string, number>> => {
  const { rows } = await sql<{ key: string; points: number }>`select key, points from limites`.execute(kysely)
  return Object.fromEntries(rows.map(({ key, points }) => [key, points]))
}

forEachDatabase((dialect, fresh) => {
  test('a try is refused by the first count that is used up, and counts nowhere then', async (t) => {
    const db = await openFor(t, await fresh(t))
    const attempts = openAttempts(db, { now: () => NOW, secret: SECRET })
    const { take } = attempts
    for (let at = 0; at < 60; at++) assert.equal(await take(...entrarDe(rede(1), `p${at}@a.com`)), undefined)
    const before = dialect === 'postgres' && (await rowsOf(db))
    const refused = await Promise.all(
      Array.from({ length: 1_000 }, (_, at) => take(...entrarDe(rede(1), at % 2 ? EMAIL : `q${at}@a.com`))),
    )
    for (const one of refused) assert.equal(one?.de, 'entrar/endereco')
    if (dialect === 'postgres') assert.deepEqual(await rowsOf(db), before)
    // The pair is used up by its own network alone; then its network has room for others.
    for (let at = 0; at < 20; at++) assert.equal(await take(...entrarDe(rede(2), EMAIL)), undefined)
    for (let at = 0; at < 100; at++) assert.equal((await take(...entrarDe(rede(2), EMAIL)))?.de, 'entrar/par')
    for (let at = 0; at < 40; at++) assert.equal(await take(...entrarDe(rede(2), `r${at}@a.com`)), undefined)
    assert.equal((await take(...entrarDe(rede(2), 's@a.com')))?.de, 'entrar/endereco')
    assert.equal(await take(...entrarDe(rede(3), EMAIL)), undefined)
  })

  test('of tries that come at once on two nodes, so many pass as may', async (t) => {
    const place = await fresh(t)
    const one = openAttempts(await openFor(t, place), { now: () => NOW, secret: SECRET })
    const two =
      dialect === 'postgres' ? openAttempts(await openFor(t, place), { now: () => NOW, secret: SECRET }) : one
    const all = await Promise.all(
      Array.from({ length: 100 }, (_, at) =>
        (at % 2 ? one : two).take(['entrar/par', 'a']).then((no) => !no),
      ),
    )
    assert.equal(all.filter(Boolean).length, 20)
  })

  test('what was no guess is taken back', async (t) => {
    const { take, giveBack } = openAttempts(await openFor(t, await fresh(t)), {
      now: () => NOW,
      secret: SECRET,
    })
    for (let at = 0; at < 100; at++) {
      assert.equal(await take(...entrarDe(rede(1), EMAIL)), undefined)
      await giveBack(...entrarDe(rede(1), EMAIL))
    }
    for (let at = 0; at < 20; at++) assert.equal(await take(...entrarDe(rede(1), EMAIL)), undefined)
    assert.equal((await take(...entrarDe(rede(1), EMAIL)))?.de, 'entrar/par')
  })

  test('no number of networks makes a count forget one that is used up', async (t) => {
    const db = await openFor(t, await fresh(t))
    const { take } = openAttempts(db, { now: () => NOW, secret: SECRET })
    for (let at = 0; at < 60; at++) await take(['entrar/endereco', rede(0)])
    // More than are counted one by one in memory; on PostgreSQL, more than one statement counts.
    const many = dialect === 'postgres' ? 2_000 : 30_000
    await Promise.all(Array.from({ length: many }, (_, at) => take(['entrar/endereco', rede(at + 1)])))
    assert.equal((await take(['entrar/endereco', rede(0)]))?.de, 'entrar/endereco')
    // One that came when there was no room is counted too.
    for (let at = 0; at < 60; at++) await take(['entrar/endereco', rede(many + 1)])
    assert.equal((await take(['entrar/endereco', rede(many + 1)]))?.de, 'entrar/endereco')
    if (dialect === 'sqlite') return
    for (const key of Object.keys(await rowsOf(db))) {
      const [, place = ''] = /^entrar\/endereco (\d+)$/.exec(key) ?? []
      assert.ok(place !== '' && Number(place) < 2 ** 17, `${key}: a kind has so many rows at most`)
    }
  })
})

test('a count in memory tells a key as often as it came in its window, or more, whoever else comes', () => {
  const WINDOW = 1_000
  const step = fc.record({ key: fc.integer({ min: 0, max: 40 }), ms: fc.integer({ min: 0, max: 300 }) })
  fc.assert(
    fc.property(fc.array(step, { maxLength: 200 }), fc.integer({ min: 0, max: 60 }), (steps, exact) => {
      let now = NOW.getTime()
      const count = openWindowCount({ windowMs: WINDOW, now: () => new Date(now), exact })
      const windows = new Map<number, { count: number; ends: number }>()
      for (const { key, ms } of steps) {
        now += ms
        const known = windows.get(key)
        const own = known && known.ends > now ? known : { count: 0, ends: now + WINDOW }
        own.count += 1
        windows.set(key, own)
        const told = count.add(String(key))
        assert.ok(told.count >= own.count, `${key}: ${told.count} of ${own.count}`)
        assert.ok(told.ends > now && told.ends <= now + 2 * WINDOW)
        assert.deepEqual(count.look(String(key)), told)
        if (exact > 40) assert.equal(told.count, own.count)
      }
    }),
    { numRuns: vezes(200) },
  )
})

test('a count in memory is exact while its keys have room, and when a flood is over', () => {
  let now = NOW.getTime()
  const count = openWindowCount({ windowMs: 1_000, now: () => new Date(now), exact: 100 })
  for (let at = 0; at < 50_000; at++) count.add(rede(at))
  assert.equal(count.look(rede(0))?.count, 1)
  // Later than the sketch may over-count, also once the clock has gone back.
  now += 5_000
  for (let at = 0; at < 100; at++) {
    assert.equal(count.look(rede(at)), undefined)
    assert.deepEqual(count.add(rede(at)), { count: 1, ends: now + 1_000 })
  }
  // A clock that goes back makes no window longer.
  now -= 500
  assert.equal(count.look(rede(1)), undefined)
})
