import { randomUUID } from 'node:crypto'
import type { Kysely } from 'kysely'
import type { Static, TSchema } from 'typebox'
import { openGroupCommit } from '../db/commits.ts'
import type { Db } from '../db/db.ts'
import { openDurable } from '../db/durable.ts'
import { deleteInBatches } from '../db/queries.ts'
import { relaxed } from '../db/relaxed.ts'
import type { Tables } from '../db/tables.ts'
import { type Bell, openBell } from './bell.ts'
import { claimJobs } from './claim.ts'
import { type Ending, endingOf } from './ending.ts'
import { clockOf, steadyClock } from './jobs-clock.ts'
import type { Claimed, JobKind, JobOutcome, JobRules, Lease } from './kind.ts'
import { readPayload, writeJson } from './payload.ts'
import { newRequestId } from './request-id.ts'
import {
  countOf,
  deleteOld,
  endJobs,
  insertJobs,
  type NewJob,
  type OpenJobs,
  renewJobs,
  selectAsked,
  selectOpen,
  type Table,
} from './rows.ts'
import { endOf, openWaiting, type Waiting } from './wait.ts'

type Connection = Kysely<Tables>

/** When a job may begin, the id of the account that asks for it, and how many of its kind may be open. */
type Wish = { runAt?: Date; conta?: string; most?: OpenJobs }

/** As many jobs of a kind are open as may be: of the account that asks (`isOwn`), or of all. */
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
  /** The id of the open job of a key. */
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
  /**
   * Writes what a run came to, with what `write` does in the same transaction; on the disk when it resolves.
   * False, and nothing written, where the lease is another's.
   */
  finish: (lease: Lease, outcome: JobOutcome, write?: (on: Connection) => Promise<void>) => Promise<boolean>
  /** Tells this process's runner that a job of this kind may be due. */
  wake: (kind: string) => void
  bell: Bell
  /** Forgets finished jobs whose time is over; how many. */
  sweep: () => Promise<number>
  /** Waits for what is being written. */
  close: () => Promise<void>
}

/** Rows deleted at once: a job with its result has up to 512 KB. */
const DELETED = 100

type Options = {
  /** The time by which callers say `runAt`. */
  now: () => Date
  /** The clock of leases on the embedded database. */
  clock?: () => number
}

/** Opens the jobs of a database. */
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
    sweep: () => deleteInBatches(DELETED, (size) => deleteOld(db.kysely, clock(), size)),
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

/** What the bell calls a job that may be due. */
export const dueOf = (kind: string): string => `due ${kind}`
