import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { type Jobs, openJobs } from '../../src/platform/jobs/jobs.ts'
import type { Claimed } from '../../src/platform/jobs/kind.ts'
import { NOW, vezes } from '../kit/basics.ts'
import { forEachDatabase, openFor } from '../kit/databases.ts'
import { contar, pass } from '../kit/jobs.ts'

const STEP_MS = 60_000
// Parts of a step: the real time that passes meanwhile moves no instant across another.
const LEASE_MS = 5.5 * STEP_MS
const REST_MS = 2.3 * STEP_MS
const kind = { ...contar, attempts: 1_000 }

/** One thing that happens, a minute after the one before. `which` picks among what nodes have in hand. */
type Step =
  | { what: 'ask'; conta: string }
  | { what: 'claim'; node: 0 | 1; count: number }
  | { what: 'done' | 'again' | 'back'; which: number }

const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.oneof(
    {
      weight: 4,
      arbitrary: fc.record({ what: fc.constant('ask'), conta: fc.constantFrom('', 'a', 'a', 'a', 'b', 'c') }),
    },
    {
      weight: 3,
      arbitrary: fc.record({
        what: fc.constant('claim'),
        node: fc.constantFrom(0, 1),
        count: fc.integer({ min: 1, max: 4 }),
      }),
    },
    { weight: 2, arbitrary: fc.record({ what: fc.constantFrom('done', 'again', 'back'), which: fc.nat() }) },
  ),
  { minLength: 10, maxLength: 50 },
)

type Asked = { numero: number; conta: string; from: number; running: boolean }

/** The queue a second time, in its plainest form: one claim is one turn after another. */
class Model {
  now = 0
  open: Asked[] = []

  /** The next job by turns: of the account with the fewest running, and of equals the one due for longest. */
  private next(): Asked | undefined {
    const running = (conta: string): number =>
      this.open.filter((job) => job.conta === conta && job.running && job.from > this.now).length
    return this.open
      .filter(({ from }) => from <= this.now)
      .toSorted((one, other) => one.from - other.from)
      .toSorted((one, other) => running(one.conta) - running(other.conta))[0]
  }

  claim(count: number): number[] {
    const claimed: number[] = []
    for (let job = this.next(); job && claimed.length < count; job = this.next()) {
      job.from = this.now + LEASE_MS
      job.running = true
      claimed.push(job.numero)
    }
    return claimed
  }

  find(wanted: number): Asked {
    const asked = this.open.find(({ numero }) => numero === wanted)
    assert.ok(asked)
    return asked
  }
}

type InHand = Claimed<{ numero: number }>

forEachDatabase((_dialect, fresh) => {
  test('whatever is asked for, claimed and ended, each claim takes the jobs whose turn it is', async (t) => {
    const place = await fresh(t)
    const db = await openFor(t, place)
    const other = await openFor(t, place)
    const nodes = [db, other].map((one) => openJobs(one, { now: () => NOW }))
    const property = fc.asyncProperty(steps, async (all) => {
      await db.kysely.deleteFrom('trabalhos').execute()
      const model = new Model()
      const inHand: InHand[] = []
      for (const [numero, step] of all.entries()) {
        await pass(db, STEP_MS)
        model.now += STEP_MS
        const jobs = nodes['node' in step ? step.node : 0]
        assert.ok(jobs)
        if (step.what === 'ask') {
          await jobs.enqueue(kind, { numero }, { conta: step.conta })
          model.open.push({ numero, conta: step.conta, from: model.now, running: false })
        } else if (step.what === 'claim') {
          const { jobs: claimed } = await jobs.claim(kind, { count: step.count, leaseMs: LEASE_MS })
          const numbers = claimed.map(({ payload }) => payload.numero)
          assert.deepEqual(new Set(numbers), new Set(model.claim(step.count)))
          for (const [index, job] of claimed.entries()) {
            // A beat each, so that no two leases end at once.
            await jobs.renew([job], LEASE_MS + 10 * index)
            model.find(job.payload.numero).from += 10 * index
          }
          inHand.push(...claimed)
        } else if (inHand.length > 0) await end(jobs, model, inHand, step)
      }
    })
    await fc.assert(property, { numRuns: vezes(15) })
  })

  async function end(
    jobs: Jobs,
    model: Model,
    inHand: InHand[],
    { what, which }: Extract<Step, { which: number }>,
  ): Promise<void> {
    const [job] = inHand.splice(which % inHand.length, 1)
    assert.ok(job)
    const reason = 'a fonte não respondeu'
    const outcome = {
      done: { type: 'done', result: null, keptMs: LEASE_MS },
      again: { type: 'again', reason, delayMs: REST_MS },
      back: { type: 'back', reason },
    } as const
    // Another node may have taken it over: then nothing changes.
    if (!(await jobs.finish(job, outcome[what]))) return
    const asked = model.find(job.payload.numero)
    asked.running = false
    asked.from = model.now + (what === 'again' ? REST_MS : 0)
    if (what === 'done') model.open = model.open.filter((one) => one !== asked)
  }
})
