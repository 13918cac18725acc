import { setTimeout as delay } from 'node:timers/promises'
import { messageOf } from '../errors.ts'
import type { Log } from '../start.ts'
import { dueOf, type Jobs } from './jobs.ts'
import {
  backoffMs,
  type Claimed,
  type Job,
  type JobDone,
  type JobOutcome,
  JobRefused,
  type JobRunSink,
  type Lease,
} from './kind.ts'

const LONGEST_RUN_MS = 10 * 60_000

type Run = {
  kind: string
  lease: Lease
  end: (why: 'lost' | 'stopped') => void
  /** Whether its end is being written. That write holds its row, and a renewal would wait for it. */
  isEnding: () => boolean
  ended: Promise<void>
}

type Needs = { jobs: Jobs; log: Pick<Log, 'info' | 'error'>; onRun?: JobRunSink | undefined }

function startRun(kind: Job, job: Claimed, { jobs, log, onRun }: Needs): Run {
  const { id, token, conta, payload, attempt } = job
  const lease = { id, token }
  const ending = new AbortController()
  const ended = Promise.withResolvers<'lost' | 'stopped' | 'late'>()
  let writing = false
  const end: Run['end'] = (why) => {
    ended.resolve(why)
    ending.abort(new Error(why))
  }
  const timer = setTimeout(() => {
    ended.resolve('late')
    ending.abort(new Error('late'))
  }, LONGEST_RUN_MS)

  async function work(): Promise<Came> {
    try {
      return toDone(kind, await kind.run(payload, { id, conta, attempt, signal: ending.signal }))
    } catch (error) {
      return toFailure(kind, attempt, error)
    }
  }

  async function carryOut(): Promise<void> {
    const started = performance.now()
    // A run that does not listen to its signal is not waited for.
    const came = await Promise.race([work(), ended.promise.then((why) => cut(kind, attempt, why))])
    clearTimeout(timer)
    writing = true
    const outcome = (came.outcome && (await write(came))) ?? 'lost'
    const fields = { job: kind.kind, job_id: id, attempt, ms: Math.round(performance.now() - started) }
    const err = came.error === undefined ? {} : { err: came.error }
    log.info({ ...fields, outcome, ...err }, 'ran a job')
    onRun?.({ job: kind.kind, outcome, ms: fields.ms })
  }

  /** Writes the outcome; a write of the job that fails is a failure of its run. */
  async function write({ outcome, done }: Came): Promise<JobOutcome['type'] | undefined> {
    if (!outcome) return undefined
    try {
      return (await jobs.finish(lease, outcome, done?.write)) ? outcome.type : undefined
    } catch (error) {
      const failure = toFailure(kind, attempt, error)
      return failure.outcome && (await jobs.finish(lease, failure.outcome)) ? failure.outcome.type : undefined
    }
  }

  const whole = carryOut().catch((err) => {
    // Its lease runs out, and it is tried again.
    log.error({ err, job: kind.kind, job_id: id }, 'the end of a job could not be written')
  })
  return { kind: kind.kind, lease, end, isEnding: () => writing, ended: whole }
}

type Came = { outcome?: JobOutcome; done?: JobDone; error?: unknown }

const toDone = ({ keptMs }: Job, done: JobDone): Came => ({
  outcome: { type: 'done', result: done.result, keptMs },
  done,
})

function toFailure({ attempts, backoffMs: base }: Job, attempt: number, error: unknown): Came {
  const reason = messageOf(error)
  if (error instanceof JobRefused || attempt >= attempts) return { outcome: { type: 'dead', reason }, error }
  return { outcome: { type: 'again', reason, delayMs: backoffMs(base, attempt) }, error }
}

function cut(kind: Job, attempt: number, why: 'lost' | 'stopped' | 'late'): Came {
  if (why === 'lost') return {}
  if (why === 'late') return toFailure(kind, attempt, new Error('passou do prazo de uma execução'))
  return { outcome: { type: 'back', reason: 'o serviço parou durante a execução' } }
}

const LEASE_MS = 15_000
const POLL_MS = 1_000
const DRAIN_MS = 10_000
const GRACE_MS = 1_000

type Options = {
  jobs: Jobs
  kinds: readonly Job[]
  log: Pick<Log, 'info' | 'warn' | 'error'>
  onRun?: JobRunSink | undefined
  leaseMs?: number
  pollMs?: number
}

export type Runner = {
  /** Takes no more jobs, waits `drainMs` for those in hand, then gives the rest back to other nodes. */
  stop: (drainMs?: number) => Promise<void>
}

export function startRunner({
  jobs,
  kinds,
  log,
  onRun,
  leaseMs = LEASE_MS,
  pollMs = POLL_MS,
}: Options): Runner {
  const inHand = new Map<string, Run>()
  let stopping = false
  let renewing = false

  async function renew(): Promise<void> {
    const runs = [...inHand.values()].filter(({ isEnding }) => !isEnding())
    // One at a time: a database that hangs would else be asked more and more.
    if (runs.length === 0 || renewing) return
    const leases = runs.map(({ lease }) => lease)
    renewing = true
    const held = await jobs.renew(leases, leaseMs).finally(() => {
      renewing = false
    })
    for (const { lease, end } of runs) if (!held.has(lease.id)) end('lost')
  }

  async function take(kind: Job, count: number): Promise<void> {
    const held = [...inHand.keys()]
    const claimed = await jobs.claim(kind, { count, leaseMs, held })
    for (const { id, reason } of claimed.buried)
      log.warn({ job: kind.kind, job_id: id, reason }, 'a job is dead')
    if (claimed.buried.length > 0) jobs.wake(kind.kind)
    for (const job of claimed.jobs) {
      const run = startRun(kind, job, { jobs, log, onRun })
      inHand.set(job.id, run)
      void run.ended.then(() => {
        inHand.delete(job.id)
        jobs.wake(kind.kind)
      })
    }
  }

  async function serve(kind: Job): Promise<void> {
    const ear = jobs.bell.listen(dueOf(kind.kind))
    let failing = false
    while (!stopping) {
      const mine = [...inHand.values()].filter((run) => run.kind === kind.kind)
      try {
        if (mine.length < kind.atOnce) await take(kind, kind.atOnce - mine.length)
        failing = false
      } catch (err) {
        // Once an outage: the database is asked each second.
        if (!failing) log.error({ err, job: kind.kind }, 'jobs cannot be claimed')
        failing = true
      }
      if (!stopping) await ear.pause(pollMs)
    }
    ear.close()
  }

  const beat = setInterval(() => void renew().catch(() => {}), leaseMs / 3).unref()
  const serving = kinds.map(serve)

  return {
    stop: async (drainMs = DRAIN_MS) => {
      stopping = true
      for (const { kind } of kinds) jobs.wake(kind)
      await Promise.all(serving)
      const drained = async (ms: number): Promise<void> => {
        const timer = new AbortController()
        const ended = Promise.all([...inHand.values()].map((run) => run.ended))
        await Promise.race([ended, delay(ms, undefined, { signal: timer.signal }).catch(() => {})])
        timer.abort()
      }
      await drained(drainMs)
      for (const { end } of inHand.values()) end('stopped')
      await drained(GRACE_MS)
      clearInterval(beat)
    },
  }
}
