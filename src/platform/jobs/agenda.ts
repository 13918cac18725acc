import { sql } from 'kysely'
import type { Db } from '../db/db.ts'
import type { Platform } from '../platform.ts'
import type { JobRunSink } from './kind.ts'
import { clockOf, steadyClock } from './lease.ts'

export type Agendas = {
  /** A new one is due after its first interval, or at once with `atOnce`. */
  restOf: (schedule: Schedule) => Promise<number>
  /** Of all nodes one gets it. Of all intervals that passed while none lived, one run is left. */
  take: (schedule: Schedule) => Promise<boolean>
  giveBack: (schedule: Schedule) => Promise<void>
}

type Schedule = { name: string; everyMs: number; atOnce?: boolean | undefined }

export function openAgendas(db: Db, { clock: local = steadyClock }: { clock?: () => number } = {}): Agendas {
  return {
    restOf: async ({ name, everyMs, atOnce = false }) => {
      const clock = clockOf(db, local)
      const next = sql<number>`${clock} + cast(${everyMs} as bigint)`
      const first = atOnce ? clock : next
      // One that is further ahead than an interval was set before the clock was set back.
      const { rows } = await sql<{ resta: number }>`
        insert into agendas as a (nome, proxima) values (${name}, ${first})
        on conflict (nome) do update set proxima = ${next} where a.proxima > ${next}
        returning proxima - ${clock} as resta`.execute(db.kysely)
      // On PostgreSQL the clock goes on within a statement: a new one may be overdue already.
      return Math.max(0, rows[0]?.resta ?? (await restOf(db, name, clock)))
    },
    take: async ({ name, everyMs }) => {
      const clock = clockOf(db, local)
      const every = sql<number>`cast(${everyMs} as bigint)`
      // On time the next run keeps the beat; after a missed interval a new beat begins.
      const { rows } = await sql<{ nome: string }>`
        update agendas set proxima = case when proxima + ${every} > ${clock}
          then proxima + ${every} else ${clock} + ${every} end
        where nome = ${name} and proxima <= ${clock}
        returning nome`.execute(db.kysely)
      return rows.length > 0
    },
    giveBack: async ({ name }) => {
      const proxima = clockOf(db, local)
      await sql`update agendas set proxima = ${proxima} where nome = ${name}`.execute(db.kysely)
    },
  }
}

async function restOf({ kysely }: Db, name: string, clock: ReturnType<typeof clockOf>): Promise<number> {
  const { rows } = await sql<{ resta: number }>`
    select proxima - ${clock} as resta from agendas where nome = ${name}`.execute(kysely)
  return rows[0]?.resta ?? 0
}

export type Every = {
  /** Its name in the log, and in the database where one node runs it: never rename it. */
  name: string
  everyMs: number
  /** `one-node`: one run an interval, whatever the number of nodes. It must bear being missed once. */
  on: 'each-node' | 'one-node'
  atOnce?: boolean
  run: (signal: AbortSignal) => Promise<void>
}

type Tell = (fields: object, message: string) => void
type Needs = { agendas: Agendas; log: { error: Tell; info: Tell }; onRun?: JobRunSink | undefined }

/** How often the log says that a job still fails: the database may be away, and is asked each second. */
const STILL_MS = 10 * 60_000

/**
 * Starts schedules, and returns what stops them and waits for their runs. A node never runs one twice at
 * once; the next interval tries again what failed, and a row of failures is a line of the log in 10 minutes.
 */
export function startEvery(everies: readonly Every[], { agendas, log, onRun }: Needs): () => Promise<void> {
  const stopping = new AbortController()
  const stops = everies.map((every) => {
    const fate = openFate(every.name, log)
    const guarded = { ...every, run: () => logging(every, stopping.signal, { fate, onRun }) }
    return every.on === 'one-node'
      ? onOneNode(guarded, agendas, openFate(every.name, log))
      : onThisNode(guarded)
  })
  return async () => {
    stopping.abort()
    await Promise.all(stops.map((stop) => stop()))
  }
}

type Fate = { failed: (err: unknown) => void; worked: () => void }

function openFate(job: string, log: Needs['log']): Fate {
  let failures = 0
  let told = Number.NEGATIVE_INFINITY
  return {
    failed: (err) => {
      failures += 1
      if (failures > 1 && performance.now() - told < STILL_MS) return
      told = performance.now()
      log.error({ err, job, failures }, 'a job failed')
    },
    worked: () => {
      if (failures > 0) log.info({ job, failures }, 'a job works again')
      failures = 0
    },
  }
}

/** Runs once, and says whether the stop cut the run. That is no failure. */
async function logging(
  { name, run }: Every,
  signal: AbortSignal,
  { fate, onRun }: Pick<Needs, 'onRun'> & { fate: Fate },
): Promise<'ended' | 'cut'> {
  const started = performance.now()
  let outcome = 'done'
  try {
    await run(signal)
    fate.worked()
  } catch (err) {
    if (signal.aborted && err === signal.reason) return 'cut'
    outcome = 'failed'
    fate.failed(err)
  }
  onRun?.({ job: name, outcome, ms: performance.now() - started })
  return 'ended'
}

type Guarded = Omit<Every, 'run'> & { run: () => Promise<'ended' | 'cut'> }

function onThisNode({ everyMs, run }: Guarded): () => Promise<void> {
  let running: Promise<unknown> | undefined
  const timer = setInterval(() => {
    running ??= run().finally(() => {
      running = undefined
    })
  }, everyMs).unref()
  return async () => {
    clearInterval(timer)
    await running
  }
}

/** A run that another node takes is not this one's. */
function onOneNode(every: Guarded, agendas: Agendas, fate: Fate): () => Promise<void> {
  let stopped = false
  let timer: NodeJS.Timeout | undefined
  let running: Promise<void> = Promise.resolve()

  async function round(): Promise<number> {
    try {
      const restMs = await agendas.restOf(every)
      fate.worked()
      if (restMs > 0) return restMs
      if ((await agendas.take(every)) && (await every.run()) === 'cut') await agendas.giveBack(every)
      return 0
    } catch (err) {
      fate.failed(err)
      return every.everyMs
    }
  }

  const sleep = (ms: number): void => {
    if (stopped) return
    timer = setTimeout(() => {
      running = round().then(sleep)
    }, ms).unref()
  }

  running = round().then(sleep)
  return async () => {
    stopped = true
    clearTimeout(timer)
    await running
  }
}

/** A sweep may end early once the signal tells that the service does. */
export type Sweeps = Readonly<Record<string, (signal: AbortSignal) => Promise<unknown>>>

export const sweepsOf = ({ cache, leituras, idempotencia, jobs, log }: Platform): Sweeps => ({
  'sweep-cache': async (signal) => {
    const swept = await cache.sweep(signal)
    if (swept > 0) log.debug({ swept }, 'swept what the cache held too long')
  },
  'sweep-leituras': leituras.sweep,
  'sweep-idempotencia': idempotencia.sweep,
  'sweep-jobs': jobs.sweep,
})

export const sweeper =
  (sweeps: Sweeps, log: Platform['log'], signal: AbortSignal) => async (): Promise<void> => {
    for (const [job, sweep] of Object.entries(sweeps))
      try {
        await sweep(signal)
      } catch (err) {
        log.error({ err, job }, 'a job failed')
      }
  }
