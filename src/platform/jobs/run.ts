import type { Logger } from 'pino'
import { type Job, type JobDone, JobRefused, type JobRunSink } from './job.ts'
import type { Jobs } from './jobs.ts'
import { backoffMs, type Claimed, type JobOutcome, type Lease } from './kind.ts'

/** The longest that a run may take. */
const LONGEST_RUN_MS = 10 * 60_000

/** A job in this process's hands. */
export type Run = {
  kind: string
  lease: Lease
  /** Ends it early: another holder has it, or this process stops and gives it back. */
  end: (why: 'lost' | 'stopped') => void
  /** Whether its end is being written. That write holds its row, and a renewal would wait for it. */
  isEnding: () => boolean
  /** Resolves when nothing of it is left to do here; never rejects. */
  ended: Promise<void>
}

type Needs = { jobs: Jobs; log: Pick<Logger, 'info' | 'error'>; onRun?: JobRunSink | undefined }

/** Runs a claimed job and writes what it came to; one line of the log tells of it. */
export function startRun(kind: Job, job: Claimed, { jobs, log, onRun }: Needs): Run {
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

/** What a run came to; without an outcome nothing is to be written. */
type Came = { outcome?: JobOutcome; done?: JobDone; error?: unknown }

const toDone = ({ keptMs }: Job, done: JobDone): Came => ({
  outcome: { type: 'done', result: done.result, keptMs },
  done,
})

function toFailure({ attempts, backoffMs: base }: Job, attempt: number, error: unknown): Came {
  const reason = error instanceof Error ? error.message : String(error)
  if (error instanceof JobRefused || attempt >= attempts) return { outcome: { type: 'dead', reason }, error }
  return { outcome: { type: 'again', reason, delayMs: backoffMs(base, attempt) }, error }
}

function cut(kind: Job, attempt: number, why: 'lost' | 'stopped' | 'late'): Came {
  if (why === 'lost') return {}
  if (why === 'late') return toFailure(kind, attempt, new Error('passou do prazo de uma execução'))
  return { outcome: { type: 'back', reason: 'o serviço parou durante a execução' } }
}
