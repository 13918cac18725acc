import { setTimeout as delay } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { Job, JobRunSink } from './job.ts'
import type { Jobs } from './jobs.ts'
import { dueOf } from './jobs.ts'
import { type Run, startRun } from './run.ts'

/** How long a job of a dead process waits until another node takes it. */
const LEASE_MS = 15_000
/** How often a node looks for what other nodes asked for, and for what has become due. */
const POLL_MS = 1_000
/** How long a stop waits for the runs in hand, and then for those that were told to end. */
const DRAIN_MS = 10_000
const GRACE_MS = 1_000

type Options = {
  jobs: Jobs
  kinds: readonly Job[]
  log: Pick<Logger, 'info' | 'warn' | 'error'>
  onRun?: JobRunSink | undefined
  leaseMs?: number
  pollMs?: number
}

/** Runs the jobs of a node. */
export type Runner = {
  /** Takes no more jobs, waits `drainMs` for those in hand, then gives the rest back to other nodes. */
  stop: (drainMs?: number) => Promise<void>
}

/** Claims and runs jobs of these kinds until it is stopped: at once where this process asked for them. */
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
    // They took the place of others that may be due.
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
