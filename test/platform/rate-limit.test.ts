import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { type TestContext, test } from 'node:test'
import fc from 'fast-check'
import { sql } from 'kysely'
import type { Db } from '../../src/platform/db/db.ts'
import { openRateLimit, type RateLimit } from '../../src/platform/limits.ts'
import { NOW, pausa } from '../kit/basics.ts'
import { type Fresh, forEachDatabase, openFor } from '../kit/databases.ts'

forEachDatabase((dialect, fresh) => {
  test('of many calls at once exactly the plan’s number pass, each with its own place', async (t) => {
    const place = await fresh(t)
    const db = await openFor(t, place)
    const first = openRateLimit(db, () => NOW)
    const nodes =
      dialect === 'sqlite' ? [first, first] : [first, openRateLimit(await openFor(t, place), () => NOW)]
    const conta = { id: randomUUID(), plano: 'starter' as const }
    const turns = await Promise.all(Array.from({ length: 200 }, async (_, i) => nodes[i % 2]?.consume(conta)))
    const passed = turns.filter((turn) => turn?.ok)
    assert.equal(passed.length, 60)
    assert.deepEqual(
      passed.map((turn) => turn?.remaining).sort((a, b) => Number(a) - Number(b)),
      Array.from({ length: 60 }, (_, i) => i),
    )
    for (const turn of turns) {
      assert.equal(turn?.limit, 60)
      assert.ok(turn.resetMs > 0 && turn.resetMs <= 60_000)
    }
  })

  test('accounts are counted apart, and a change of plan holds in the same minute', async (t) => {
    const limit = openRateLimit(await openFor(t, await fresh(t)), () => NOW)
    const id = randomUUID()
    for (let call = 0; call < 30; call++) assert.equal((await limit.consume({ id, plano: 'lite' })).ok, true)
    assert.equal((await limit.consume({ id, plano: 'lite' })).ok, false)
    assert.equal((await limit.consume({ id: randomUUID(), plano: 'lite' })).remaining, 29)
    assert.deepEqual((await limit.consume({ id, plano: 'pro' })).remaining, 300 - 32)
  })
})

type Node = { db: Db; limit: RateLimit }

/** Nodes of one database, each with its own connections and leases. */
async function openNodes(t: TestContext, fresh: Fresh, many: number): Promise<[Node, ...Node[]]> {
  const place = await fresh(t)
  const open = async (): Promise<Node> => {
    const db = await openFor(t, place)
    return { db, limit: openRateLimit(db, () => NOW) }
  }
  const first = await open()
  return [first, ...(await Promise.all(Array.from({ length: many - 1 }, open)))]
}

/** What a node of the version before asks for each call, as it was released. */
async function countAsBefore({ db }: Node, id: string): Promise<number> {
  const { rows } = await sql<{ points: number }>`
    insert into limites as l (key, points, expire)
      select j.key, cast(j.value as integer), c.now + 60000
      from json_each_text(${JSON.stringify({ [id]: 1 })}) as j,
        (select cast(extract(epoch from clock_timestamp()) * 1000 as bigint) as now) as c
      order by j.key
    on conflict (key) do update set
      points = case when l.expire <= excluded.expire - 60000 then 0 else l.points end + excluded.points,
      expire = case when l.expire <= excluded.expire - 60000 then excluded.expire else l.expire end
    returning key, points, expire - cast(extract(epoch from clock_timestamp()) * 1000 as bigint) as reset`.execute(
    db.kysely,
  )
  return rows[0]?.points ?? 0
}

async function takenOf({ db }: Node, id: string): Promise<number> {
  const { rows } = await sql<{ points: number }>`select points from limites where key = ${id}`.execute(
    db.kysely,
  )
  return rows[0]?.points ?? 0
}

const pro = (): { id: string; plano: 'pro' } => ({ id: randomUUID(), plano: 'pro' })
const OF_PRO = 300

forEachDatabase(
  (_, fresh) => {
    test('one node counts each call one by one, while it takes up to 60 places of the minute at once', async (t) => {
      const [node] = await openNodes(t, fresh, 1)
      const conta = pro()
      const ahead: number[] = []
      for (let call = 1; call <= OF_PRO + 70; call++) {
        const turn = await node.limit.consume(conta)
        assert.deepEqual([turn.ok, turn.remaining], [call <= OF_PRO, Math.max(0, OF_PRO - call)])
        assert.ok(turn.resetMs > 0 && turn.resetMs <= 60_000)
        ahead.push((await takenOf(node, conta.id)) - call)
      }
      assert.deepEqual(ahead.slice(0, 8), [0, 1, 0, 3, 2, 1, 0, 7])
      assert.equal(Math.max(...ahead.slice(0, OF_PRO - 1)), 31, 'less than an eighth of what is left')
      assert.deepEqual(ahead.slice(OF_PRO - 8, OF_PRO - 1), [0, 0, 0, 0, 0, 0, 0], 'none of the last seven')
    })

    test('of calls at several nodes never more than the limit pass, and all of it once each has refused', async (t) => {
      const nodes = await openNodes(t, fresh, 4)
      const burst = fc.record({ at: fc.nat(nodes.length - 1), calls: fc.integer({ min: 1, max: 8 }) })
      const bursts = fc.array(burst, { minLength: 1, maxLength: 30 })
      await fc.assert(
        fc.asyncProperty(bursts, async (order) => {
          const conta = pro()
          const refusing = new Set<number>()
          const remaining: number[] = []
          const asked = new Set(order.map(({ at }) => at))
          for (let turn = 0; refusing.size < asked.size; turn += 2) {
            // Two bursts at once, so that nodes meet in the database.
            const together = [0, 1].flatMap((next) => order[(turn + next) % order.length] ?? [])
            const calls = together.flatMap(({ at, calls }) =>
              Array.from({ length: calls }, () => ({ at, turn: nodes[at]?.limit.consume(conta) })),
            )
            for (const { at, turn } of calls) {
              const known = await turn
              if (known?.ok) remaining.push(known.remaining)
              else refusing.add(at)
            }
          }
          assert.deepEqual(
            remaining.sort((a, b) => a - b),
            Array.from({ length: OF_PRO }, (_, place) => place),
            'each place of the minute passed one call',
          )
        }),
        { numRuns: 20 },
      )
    })

    test('what a node took and never used is at most an eighth of the limit', async (t) => {
      const [dead, alive] = await openNodes(t, fresh, 2)
      const conta = pro()
      let passed = 0
      // It ends where it holds the most that it ever holds.
      while ((await takenOf(dead, conta.id)) - passed < 31)
        passed += (await dead.limit.consume(conta)).ok ? 1 : 0
      for (;;) {
        const turn = await alive?.limit.consume(conta)
        if (!turn?.ok) break
        passed += 1
      }
      assert.equal(passed, OF_PRO - 31)
    })

    test('a node of the version before and a new one pass no more than the limit together', async (t) => {
      const [before, now] = await openNodes(t, fresh, 2)
      const conta = pro()
      const places: number[] = []
      const refusing = new Set<string>()
      for (let call = 0; refusing.size < 2; call++) {
        if (call % 3 === 0) {
          const place = await countAsBefore(before, conta.id)
          if (place <= OF_PRO) places.push(place)
          else refusing.add('before')
        } else {
          const turn = await now?.limit.consume(conta)
          if (turn?.ok) places.push(OF_PRO - turn.remaining)
          else refusing.add('now')
        }
      }
      assert.equal(places.length, OF_PRO)
      assert.equal(new Set(places).size, OF_PRO)
    })

    test('what a node took ends with the minute: the next one begins at its first place on all nodes', async (t) => {
      const [one, other] = await openNodes(t, fresh, 2)
      const conta = { id: randomUUID(), plano: 'enterprise' as const }
      await sql`insert into limites (key, points, expire) values (${conta.id}, 100,
        cast(extract(epoch from clock_timestamp()) * 1000 as bigint) + 2000)`.execute(one.db.kysely)
      for (let call = 101; call <= 116; call++)
        assert.equal((await one.limit.consume(conta)).remaining, 1_200 - call)
      assert.equal(await takenOf(one, conta.id), 131, 'it holds fifteen places of the minute that ends')
      while ((await other?.limit.consume(conta))?.remaining !== 1_199) await pausa()
      const begun = await takenOf(one, conta.id)
      assert.ok(begun <= 60)
      assert.equal((await one.limit.consume(conta)).remaining, 1_200 - begun - 1)
    })
  },
  ['postgres'],
)
