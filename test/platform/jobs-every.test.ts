import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { sql } from 'kysely'
import type { Db } from '../../src/platform/db/db.ts'
import { openAgendas, startEvery } from '../../src/platform/jobs/agenda.ts'
import { forEachDatabase, openFor } from '../kit/databases.ts'

const MINUTE_MS = 60_000
const ten = { name: 'varrer', everyMs: 10 * MINUTE_MS }

forEachDatabase((_dialect, fresh) => {
  async function pair(t: TestContext) {
    const place = await fresh(t)
    const db = await openFor(t, place)
    const nodes = [openAgendas(db), openAgendas(await openFor(t, place))]
    for (const node of nodes) await node.restOf(ten)
    return { db, nodes }
  }
  /** Moves the clock of the schedules on, or back. */
  const pass = (db: Db, ms: number) => sql`update agendas set proxima = proxima - ${ms}`.execute(db.kysely)
  /** Lets time pass by steps. Gives how often one of the nodes got a run. */
  async function runsIn({ db, nodes }: Awaited<ReturnType<typeof pair>>, ms: number, stepMs: number) {
    let runs = 0
    for (let passed = 0; passed < ms; passed += stepMs) {
      await pass(db, stepMs)
      const taken = await Promise.all(
        nodes.map(async (node) => (await node.restOf(ten)) === 0 && node.take(ten)),
      )
      runs += taken.filter(Boolean).length
    }
    return runs
  }

  test('two nodes run a schedule once an interval, and on the beat', async (t) => {
    const house = await pair(t)
    assert.equal(await runsIn(house, 60 * MINUTE_MS, MINUTE_MS), 6)
    // A node that looks late does not move the beat: 7 does not divide 10.
    assert.equal(await runsIn(house, 70 * MINUTE_MS, 7 * MINUTE_MS), 7)
  })

  test('a new schedule is due after its first interval, and says how long it is until then', async (t) => {
    const { db, nodes } = await pair(t)
    assert.deepEqual(await Promise.all(nodes.map((node) => node.take(ten))), [false, false])
    await pass(db, 4 * MINUTE_MS)
    const rest = (await nodes[1]?.restOf(ten)) ?? 0
    assert.ok(rest <= 6 * MINUTE_MS && rest > 5 * MINUTE_MS, String(rest))
    await pass(db, 6 * MINUTE_MS)
    assert.equal(await nodes[0]?.restOf(ten), 0)
  })

  test('a schedule that does not wait is due at once where it is new, and on the beat from then on', async (t) => {
    const { db, nodes } = await pair(t)
    const eager = { name: 'sondar', everyMs: 2 * MINUTE_MS, atOnce: true }
    const rests = () => Promise.all(nodes.map((node) => node.restOf(eager)))
    assert.deepEqual(await rests(), [0, 0])
    assert.deepEqual((await Promise.all(nodes.map((node) => node.take(eager)))).filter(Boolean), [true])
    // A process that starts again finds the beat, and does not ask anew.
    for (const rest of await rests()) assert.ok(rest > MINUTE_MS, String(rest))
    await pass(db, 2 * MINUTE_MS)
    assert.deepEqual(await rests(), [0, 0])
    await pass(db, -60 * MINUTE_MS)
    for (const rest of await rests()) assert.ok(rest > 0 && rest <= eager.everyMs, String(rest))
  })

  test('a stop cuts a run that listens to its signal, which is no failure, and the next node begins at once', async (t) => {
    const { nodes } = await pair(t)
    const begun = Promise.withResolvers<void>()
    const told: unknown[] = []
    const [agendas, other] = nodes
    assert.ok(agendas && other)
    const cortada = { name: 'cortada', everyMs: 60 * MINUTE_MS, atOnce: true }
    const run = (signal: AbortSignal) => {
      begun.resolve()
      return new Promise<void>((_resolve, reject) =>
        signal.addEventListener('abort', () => reject(signal.reason)),
      )
    }
    const log = { error: (fields: object) => void told.push(fields), info: () => {} }
    const onRun = (ended: object) => void told.push(ended)
    const stop = startEvery([{ ...cortada, on: 'one-node', run }], { agendas, log, onRun })
    await begun.promise
    assert.notEqual(await other.restOf(cortada), 0)
    await stop()
    assert.deepEqual(told, [])
    assert.equal(await other.restOf(cortada), 0)
  })

  test('after an hour without any node there is one run, and the next an interval later', async (t) => {
    const house = await pair(t)
    await pass(house.db, 60 * MINUTE_MS)
    assert.equal(await runsIn(house, 9 * MINUTE_MS, MINUTE_MS), 1)
    assert.equal(await runsIn(house, 20 * MINUTE_MS, MINUTE_MS), 2)
  })

  test('a clock that is set back an hour, or forward, neither stops a schedule nor multiplies its runs', async (t) => {
    for (const jump of [-60 * MINUTE_MS, 60 * MINUTE_MS, -5 * MINUTE_MS, -11 * MINUTE_MS]) {
      const house = await pair(t)
      assert.equal(await runsIn(house, 20 * MINUTE_MS, MINUTE_MS), 2)
      await pass(house.db, jump)
      const runs = await runsIn(house, 60 * MINUTE_MS, MINUTE_MS)
      assert.ok(runs >= 5 && runs <= 7, `${runs} runs in an hour after ${jump / MINUTE_MS} minutes`)
    }
  })

  test('two nodes that run together take turns at what one of them has to do', async (t) => {
    const { db, nodes } = await pair(t)
    await sql`delete from agendas`.execute(db.kysely)
    const enough = Promise.withResolvers<void>()
    let runs = 0
    const everyMs = 30
    const started = performance.now()
    const failures: unknown[] = []
    const stops = nodes.map((agendas) =>
      startEvery(
        [
          {
            name: 'curta',
            everyMs,
            on: 'one-node',
            run: async () => {
              runs += 1
              if (runs === 10) enough.resolve()
              if (runs === 3) throw new Error('one of them fails')
            },
          },
        ],
        { agendas, log: { error: (fields: object) => void failures.push(fields), info: () => {} } },
      ),
    )
    await enough.promise
    for (const stop of stops) await stop()
    const intervals = (performance.now() - started) / everyMs
    assert.ok(runs <= intervals + 1, `${runs} runs in ${intervals} intervals`)
    assert.equal(failures.length, 1, 'a failure is told, and the next run comes')
  })
})

test('what each node does by itself is done by each, never twice at once, and a stop waits for it', async () => {
  const gate = Promise.withResolvers<void>()
  const begun = Promise.withResolvers<void>()
  let [runs, ended] = [0, 0]
  const agendas = { restOf: () => assert.fail(), take: () => assert.fail(), giveBack: () => assert.fail() }
  const stop = startEvery(
    [
      {
        name: 'longa',
        everyMs: 1,
        on: 'each-node',
        run: async () => {
          runs += 1
          begun.resolve()
          await gate.promise
          ended += 1
        },
      },
    ],
    { agendas, log: { error: () => {}, info: () => {} } },
  )
  await begun.promise
  for (let i = 0; i < 5; i++) await new Promise((resolve) => setTimeout(resolve, 2))
  assert.equal(runs, 1)
  const stopped = stop()
  gate.resolve()
  await stopped
  assert.deepEqual([runs, ended], [1, 1])
})

test('a job that fails each second, as without a database, is one line of the log and one when it works again', async () => {
  const enough = Promise.withResolvers<void>()
  const lines: unknown[] = []
  let runs = 0
  const never = () => assert.fail()
  const note = (level: string) => (fields: object, message: string) => {
    const { job, failures } = Object(fields)
    lines.push([level, message, job, failures])
  }
  const run = async (): Promise<void> => {
    runs += 1
    if (runs < 8) throw new Error('no database')
    if (runs === 9) enough.resolve()
  }
  const stop = startEvery([{ name: 'curta', everyMs: 1, on: 'each-node', run }], {
    agendas: { restOf: never, take: never, giveBack: never },
    log: { error: note('error'), info: note('info') },
  })
  await enough.promise
  await stop()
  assert.deepEqual(lines, [
    ['error', 'a job failed', 'curta', 1],
    ['info', 'a job works again', 'curta', 7],
  ])
})
