import type { Logger } from 'pino'
import type { Agendas } from '../store/jobs/agendas.ts'
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

type Needs = { agendas: Agendas; log: Pick<Logger, 'error'>; onRun?: JobRunSink | undefined }

/**
 * Starts schedules, and returns what stops them and waits for their runs. A node never runs one twice at
 * once; a failure is logged, and the next interval tries again.
 */
export function startEvery(everies: readonly Every[], { agendas, log, onRun }: Needs): () => Promise<void> {
  const stopping = new AbortController()
  const stops = everies.map((every) => {
    const guarded = { ...every, run: () => logging(every, stopping.signal, { log, onRun }) }
    return every.on === 'one-node' ? onOneNode(guarded, agendas, log) : onThisNode(guarded)
  })
  return async () => {
    stopping.abort()
    await Promise.all(stops.map((stop) => stop()))
  }
}

/** Runs once, and says whether the stop cut the run. That is no failure. */
async function logging(
  { name, run }: Every,
  signal: AbortSignal,
  { log, onRun }: Omit<Needs, 'agendas'>,
): Promise<'ended' | 'cut'> {
  const started = performance.now()
  let outcome = 'done'
  try {
    await run(signal)
  } catch (err) {
    if (signal.aborted && err === signal.reason) return 'cut'
    outcome = 'failed'
    log.error({ err, job: name }, 'a job failed')
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
function onOneNode(every: Guarded, agendas: Agendas, log: Needs['log']): () => Promise<void> {
  let stopped = false
  let timer: NodeJS.Timeout | undefined
  let running: Promise<void> = Promise.resolve()

  async function round(): Promise<number> {
    try {
      const restMs = await agendas.restOf(every)
      if (restMs > 0) return restMs
      if ((await agendas.take(every)) && (await every.run()) === 'cut') await agendas.giveBack(every)
      return 0
    } catch (err) {
      log.error({ err, job: every.name }, 'a job failed')
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
