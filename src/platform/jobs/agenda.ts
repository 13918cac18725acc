import type { Agendas } from './agendas.ts'
import type { JobRunSink } from './job.ts'

/** What the clock starts. */
export type Every = {
  /** Its name in the log, and in the database where one node runs it: never rename it. */
  name: string
  everyMs: number
  /** `one-node`: one run an interval, whatever the number of nodes. It must bear being missed once. */
  on: 'each-node' | 'one-node'
  /** One node's run does not wait for the first interval of a new database. */
  atOnce?: boolean
  /** Aborted when the process stops, which then waits for the end of the run. */
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

/** Tells the log how a job fares. */
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

/** A schedule whose run tells its failures itself. */
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

/**
 * Sleeps until the database says that the schedule is due. A run that another node takes is not this one's.
 */
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
