import { randomUUID } from 'node:crypto'
import { EventEmitter } from 'node:events'
import type { Kysely } from 'kysely'
import type { Static, TSchema } from 'typebox'
import type { Db } from '../db/db.ts'
import { deleteInBatches, openDurable, openGroupCommit, relaxed } from '../db/queries.ts'
import type { Tables } from '../db/tables.ts'
import {
  type Claimed,
  type JobKind,
  type JobOutcome,
  type JobRules,
  type Lease,
  newRequestId,
} from './kind.ts'
import { clockOf, lookUntil, steadyClock } from './lease.ts'
import {
  claimJobs,
  countOf,
  deleteOld,
  type Ending,
  endingOf,
  endJobs,
  insertJobs,
  type NewJob,
  type OpenJobs,
  readPayload,
  renewJobs,
  selectAsked,
  selectOpen,
  type Table,
  writeJson,
} from './rows.ts'

type Bell = { ring: (name: string) => void; listen: (name: string) => Ear }

type Ear = {
  /** Resolves after `ms`, or as soon as the bell rings; at once if it rang since the last pause. */
  pause: (ms: number) => Promise<void>
  close: () => void
}

function openBell(): Bell {
  const emitter = new EventEmitter().setMaxListeners(0)
  return {
    ring: (name) => void emitter.emit(name),
    listen: (name) => {
      let rung = false
      let wake = (): void => {}
      const hear = (): void => {
        rung = true
        wake()
      }
      emitter.on(name, hear)
      return {
        pause: async (ms) => {
          if (!rung)
            await new Promise<void>((resolve) => {
              const timer = setTimeout(resolve, ms)
              wake = () => {
                clearTimeout(timer)
                resolve()
              }
            })
          rung = false
        },
        close: () => void emitter.off(name, hear),
      }
    },
  }
}

type JobEnd = { state: 'done'; result: unknown } | { state: 'dead'; reason: string }

type Waiting = {
  /** Undefined if it has not within `ms`, or before `letGo`, or is not known any more. */
  waitFor: (id: string, ms: number, leaving?: AbortSignal) => Promise<JobEnd | undefined>
  letGo: () => void
}

const LOOK_MS = 250

function openWaiting(db: Db, bell: Bell): Waiting {
  let isOver = false
  return {
    waitFor: async (id, ms, leaving) => {
      const ear = bell.listen(endOf(id))
      try {
        const end = await lookUntil(() => selectEnd(db, id), {
          everyMs: LOOK_MS,
          forMs: ms,
          pause: ear.pause,
          isOver: () => isOver || leaving?.aborted === true,
        })
        leaving?.throwIfAborted()
        return end
      } finally {
        ear.close()
      }
    },
    letGo: () => {
      isOver = true
    },
  }
}

const endOf = (id: string): string => `end ${id}`

async function selectEnd({ kysely }: Db, id: string): Promise<JobEnd | undefined> {
  const row = await kysely
    .selectFrom('trabalhos')
    .select(['estado', 'resultado', 'motivo'])
    .where('id', '=', id)
    .executeTakeFirst()
  if (row?.estado === 'feito') return { state: 'done', result: JSON.parse(row.resultado ?? 'null') }
  return row?.estado === 'morto' ? { state: 'dead', reason: row.motivo ?? '' } : undefined
}

type Connection = Kysely<Tables>

type Wish = { runAt?: Date; conta?: string; most?: OpenJobs }

export class JobsFull extends Error {
  override readonly name = 'JobsFull'
  readonly isOwn: boolean

  constructor(isOwn: boolean) {
    super('as many jobs of this kind are open as may be')
    this.isOwn = isOwn
  }
}

/**
 * Durable work: what is asked for here is done at least once, by one process at a time, whatever process
 * dies. A run that may have been cut is repeated, so that what it does outside this database must bear
 * repetition.
 */
export type Jobs = Waiting & {
  /**
   * Asks for a job, not before `runAt`; it is on the disk when this resolves, or with `on` when that
   * transaction commits (then call `wake`). While a job of its kind and key is open nothing is added, and the
   * id is that job's; beyond `most` it throws JobsFull.
   */
  enqueue: <S extends TSchema>(
    kind: JobKind<S>,
    payload: Static<S>,
    options?: Wish & { on?: Connection },
  ) => Promise<{ id: string; isNew: boolean }>
  findOpen: (kind: string, key: string) => Promise<string | undefined>
  /** A job for a transaction of the ledger to insert, which knows no `most`. */
  prepare: <S extends TSchema>(kind: JobKind<S>, payload: Static<S>, options?: Omit<Wish, 'most'>) => NewJob
  /**
   * Claims at most `count` jobs that are due, for `leaseMs`, by turns of their accounts. `buried` are those
   * that are dead from now on, as no attempt is left or their payload has another shape.
   */
  claim: <S extends TSchema>(
    kind: JobKind<S> & Pick<JobRules, 'attempts'>,
    options: { count: number; leaseMs: number; held?: readonly string[] },
  ) => Promise<{ jobs: Claimed<Static<S>>[]; buried: { id: string; reason: string }[] }>
  /** Says that the holder of these jobs lives; the ids of those that it still holds. */
  renew: (leases: readonly Lease[], leaseMs: number) => Promise<Set<string>>
  /** In one transaction with `write`. False, and nothing written, where the lease is another's. */
  finish: (lease: Lease, outcome: JobOutcome, write?: (on: Connection) => Promise<void>) => Promise<boolean>
  wake: (kind: string) => void
  bell: Bell
  sweep: (signal?: AbortSignal) => Promise<number>
  close: () => Promise<void>
}

type Options = { now: () => Date; clock?: () => number }

export function openJobs(db: Db, { now, clock: local = steadyClock }: Options): Jobs {
  const bell = openBell()
  const durable = openDurable(db)
  const clock = () => clockOf(db, local)
  const tableOf = (connection: Connection): Table => ({ connection, dialect: db.dialect, clock: clock() })
  const inserts = openGroupCommit((jobs: NewJob[]) => durable((on) => insertAll(on, jobs)))
  const endings = openGroupCommit((all: Ending[]) => durable((on) => endAll(on, all)))

  async function insertAll(on: Connection, jobs: readonly NewJob[]): Promise<boolean[]> {
    const inserted = await insertJobs(on, jobs, clock())
    return jobs.map(({ id }) => inserted.has(id))
  }

  async function endAll(on: Connection, all: readonly Ending[]): Promise<boolean[]> {
    const held = await endJobs(tableOf(on), all)
    return all.map(({ id }) => held.has(id))
  }

  const prepare = <S extends TSchema>(
    { kind, key }: JobKind<S>,
    payload: Static<S>,
    { runAt, conta = '', most }: Wish = {},
  ): NewJob => {
    const delayMs = runAt ? Math.max(0, runAt.getTime() - now().getTime()) : 0
    return {
      id: newRequestId(now()),
      kind,
      key: key(payload),
      payload: writeJson(payload),
      delayMs,
      conta,
      most,
    }
  }

  async function insert(job: NewJob, on?: Connection): Promise<{ id: string; isNew: boolean }> {
    for (;;) {
      const isNew = on ? (await insertAll(on, [job]))[0] : await inserts.add(job)
      if (isNew) return { id: job.id, isNew }
      const found = await selectAsked(on ?? db.kysely, job)
      // The open one, or one of those that were too many, may have ended in between.
      if (found) return { id: found.id, isNew: found.id === job.id }
      await refuseIfFull(on ?? db.kysely, job)
    }
  }

  async function finish(
    lease: Lease,
    outcome: JobOutcome,
    write?: (on: Connection) => Promise<void>,
  ): Promise<boolean> {
    const ending = endingOf(lease, outcome)
    if (!write) return endings.add(ending)
    return durable((on) =>
      on.transaction().execute(async (transaction) => {
        const [held = false] = await endAll(transaction, [ending])
        if (held) await write(transaction)
        return held
      }),
    )
  }

  return {
    ...openWaiting(db, bell),
    bell,
    prepare,
    findOpen: (kind, key) => selectOpen(db.kysely, { kind, key }),
    wake: (kind) => bell.ring(dueOf(kind)),
    enqueue: async (kind, payload, { on, ...options } = {}) => {
      const taken = await insert(prepare(kind, payload, options), on)
      bell.ring(dueOf(kind.kind))
      return taken
    },
    claim: async (kind, { count, leaseMs, held = [] }) => {
      const token = randomUUID()
      const claim = { kind: kind.kind, token, count, leaseMs, held }
      const rows = await relaxed(db, (connection) => claimJobs(tableOf(connection), claim, kind))
      const jobs: Claimed<Static<(typeof kind)['payload']>>[] = []
      const buried: { id: string; reason: string }[] = []
      for (const { id, estado, dados, tentativas, motivo, conta_id: conta } of rows) {
        const read = estado === 'morto' ? { reason: motivo ?? '' } : readPayload(kind.payload, dados)
        if ('payload' in read) jobs.push({ id, token, conta, payload: read.payload, attempt: tentativas })
        else {
          if (estado !== 'morto') await finish({ id, token }, { type: 'dead', reason: read.reason })
          buried.push({ id, reason: read.reason })
        }
      }
      return { jobs, buried }
    },
    renew: (leases, leaseMs) => relaxed(db, (on) => renewJobs(tableOf(on), leases, leaseMs)),
    finish: async (lease, outcome, write) => {
      const held = await finish(lease, outcome, write)
      bell.ring(endOf(lease.id))
      return held
    },
    sweep: (signal) => deleteInBatches(db, signal, (size, kysely) => deleteOld(kysely, clock(), size)),
    close: async () => {
      await Promise.all([inserts.close(), endings.close()])
    },
  }
}

async function refuseIfFull(on: Connection, job: NewJob): Promise<void> {
  if (!job.most) return
  const { open, own } = await countOf(on, job)
  if (open >= job.most.open || own >= job.most.own) throw new JobsFull(open < job.most.open)
}

export const dueOf = (kind: string): string => `due ${kind}`
