import { randomBytes, randomUUID } from 'node:crypto'
import { setTimeout as delay, setImmediate as nextTurn } from 'node:timers/promises'
import { CompiledQuery, type Kysely, sql, type Transaction } from 'kysely'
import { trusted } from '../trusted.ts'
import type { Db } from './db.ts'
import { DatabaseAway, wasGivenUp, within } from './outage.ts'
import type { Query } from './sqlite.ts'
import type { Dialect, Tables } from './tables.ts'

/** Whether commits reach the disk: on a full one, or without its standby, a database still answers. */
export type CommitHealth = {
  watch: <T>(write: () => Promise<T>) => Promise<T>
  commit: <T>(write: () => Promise<T>) => Promise<T>
  /**
   * Whether a commit went through on the ledger's connection, by a trial where none did in the last second;
   * false after two seconds without an answer. On the embedded database a trial follows a failure alone.
   */
  ok: () => Promise<boolean>
}

const PROBE_MS = 1_000
/** Larger than the free room that a page may have left. */
const FILLER_BYTES = 16 * 1024
const FEW_BYTES = 16

export function openCommitHealth(db: Db): CommitHealth {
  const commitFiller = openFiller(db)
  let failing = false
  let proven = Number.NEGATIVE_INFINITY
  let last = Number.NEGATIVE_INFINITY
  let trying: Promise<boolean> | undefined

  async function look(): Promise<boolean> {
    last = performance.now()
    try {
      await commitFiller(failing ? FILLER_BYTES : FEW_BYTES)
      failing = false
      proven = performance.now()
    } catch {
      failing = true
    }
    trying = undefined
    return !failing
  }

  const watch: CommitHealth['watch'] = async (write) => {
    try {
      return await write()
    } catch (error) {
      failing = true
      throw error
    }
  }

  const isOld = (): boolean => {
    const now = performance.now()
    if (now - last <= PROBE_MS) return false
    return failing || (db.dialect === 'postgres' && now - proven > PROBE_MS)
  }

  return {
    watch,
    commit: async (write) => {
      const result = await watch(write)
      proven = performance.now()
      return result
    },
    ok: async () => {
      // A trial without an answer is one: who comes later does not wait for it as long again.
      if (trying && performance.now() - last > PROBE_MS) return false
      if (isOld()) trying ??= look()
      return trying ? within(trying) : !failing
    },
  }
}

function openFiller(db: Db): (bytes: number) => Promise<void> {
  const { kysely } = db
  const insert = kysely.insertInto('sonda').values({ id: '', enchimento: '' }).compile()
  const remove = kysely.deleteFrom('sonda').where('id', '=', '').compile()
  return (bytes) =>
    db.exclusive((query) => {
      const id = randomUUID()
      return inTransaction(query, async () => {
        // Random bytes. PostgreSQL would compress any others to nothing.
        await query(insert, [id, randomBytes(bytes).toString('base64')])
        await query(remove, [id])
      })
    })
}

export type GroupCommit<I, O> = {
  add: (item: I) => Promise<O>
  /** The milliseconds for which the oldest item without an outcome has waited; 0 where none waits. */
  oldestMs: () => number
  close: () => Promise<void>
}

type Waiting<I, O> = {
  item: I
  since: number
  resolve: (outcome: O) => void
  reject: (error: unknown) => void
}

/**
 * Lets items share a commit: what arrives in one turn of the event loop, or during a commit, is the next
 * group, and is refused (DatabaseAway) where that begins after `waitMs`. If a group fails, its items are
 * tried one by one, so that only the culprit fails; if the database is what failed, all fail.
 */
export function openGroupCommit<I, O>(
  commit: (items: I[]) => Promise<O[]>,
  { max = 500, waitMs }: { max?: number; waitMs?: number } = {},
): GroupCommit<I, O> {
  let queue: Waiting<I, O>[] = []
  let group: Waiting<I, O>[] = []
  let closed = false
  let running: Promise<void> | undefined
  let timer: NodeJS.Timeout | undefined

  async function run(): Promise<void> {
    await nextTurn()
    while (queue.length > 0) {
      group = queue.slice(0, max)
      queue = queue.slice(max)
      await commitGroup(group, commit)
      group = []
      await nextTurn()
    }
    running = undefined
  }

  function refuseLate(limitMs: number): void {
    const before = performance.now() - limitMs
    const late = queue.filter(({ since }) => since <= before)
    queue = queue.slice(late.length)
    for (const { reject } of late)
      reject(new DatabaseAway(new Error('the commit before has not ended'), { lost: false }))
    const [next] = queue
    timer = next && setTimeout(refuseLate, next.since - before, limitMs).unref()
  }

  return {
    add: (item) => {
      if (closed) return Promise.reject(new Error('closed: no commit will follow'))
      return new Promise((resolve, reject) => {
        queue.push({ item, since: performance.now(), resolve, reject })
        running ??= run()
        if (waitMs !== undefined) timer ??= setTimeout(refuseLate, waitMs, waitMs).unref()
      })
    },
    oldestMs: () => {
      const [oldest = queue[0]] = group
      return oldest ? performance.now() - oldest.since : 0
    },
    close: async () => {
      closed = true
      await running
      clearTimeout(timer)
    },
  }
}

async function commitGroup<I, O>(
  group: Waiting<I, O>[],
  commit: (items: I[]) => Promise<O[]>,
): Promise<void> {
  try {
    answer(group, await commit(group.map(({ item }) => item)))
  } catch (error) {
    if (group.length === 1 || error instanceof DatabaseAway) for (const { reject } of group) reject(error)
    else for (const waiting of group) await commitGroup([waiting], commit)
  }
}

function answer<I, O>(group: Waiting<I, O>[], outcomes: O[]): void {
  for (const [index, waiting] of group.entries()) {
    const outcome = outcomes[index]
    if (outcome === undefined) waiting.reject(new Error('the commit gave no outcome'))
    else waiting.resolve(outcome)
  }
}

export const ping = ({ kysely }: Db): Promise<boolean> =>
  within(sql`select 1`.execute(kysely).then(() => true))

/** Milliseconds before each further try. */
const PAUSES = [20, 100, 400]

/**
 * One transaction, anew up to three times where the database gave it up, of which nothing is left then. So
 * `work` may do nothing but ask through `trx`.
 */
export async function transact<T>(
  { kysely }: { kysely: Kysely<Tables> },
  work: (trx: Transaction<Tables>) => Promise<T>,
): Promise<T> {
  return anew(() => kysely.transaction().execute(work))
}

async function anew<T>(work: () => Promise<T>): Promise<T> {
  for (const pause of PAUSES)
    try {
      return await work()
    } catch (error) {
      if (!wasGivenUp(error)) throw error
      await delay(pause)
    }
  return work()
}

/** Runs `work` on one connection without waiting for the disk. A crash may lose the last moment of it. */
export function relaxed<T>(
  { kysely, dialect }: Db,
  work: (connection: Kysely<Tables>) => Promise<T>,
): Promise<T> {
  return kysely.connection().execute(async (connection) => {
    if (dialect === 'sqlite') await connection.executeQuery(RELAX)
    try {
      return await work(connection)
    } finally {
      if (dialect === 'sqlite') await connection.executeQuery(INSIST)
    }
  })
}

export const RELAX = CompiledQuery.raw('pragma synchronous = normal')
export const INSIST = CompiledQuery.raw('pragma synchronous = full')
export const BEGIN = CompiledQuery.raw('begin')
export const COMMIT = CompiledQuery.raw('commit')
const ROLLBACK = CompiledQuery.raw('rollback')

/** A transaction of the embedded database on its one connection, which does not wait for the disk. */
export const relaxedTransaction = <T>({ exclusive }: Db, work: (query: Query) => Promise<T>): Promise<T> =>
  exclusive(async (query) => {
    await query(RELAX, [])
    return inTransaction(query, () => work(query)).finally(() => query(INSIST, []))
  })

async function inTransaction<T>(query: Query, work: () => Promise<T>): Promise<T> {
  try {
    await query(BEGIN, [])
    const result = await work()
    await query(COMMIT, [])
    return result
  } catch (error) {
    await rolledBack(query)
    throw error
  }
}

/** False where the session is gone, or has nothing to roll back on SQLite. */
export const rolledBack = (query: Query): Promise<boolean> =>
  query(ROLLBACK, []).then(
    () => true,
    () => false,
  )

type Steps = readonly (() => Promise<unknown>)[]
type Results<S extends Steps> = { -readonly [K in keyof S]: Awaited<ReturnType<S[K]>> }

/**
 * Sends statements in order: all at once to PostgreSQL, which stops at a failure, and one by one to SQLite,
 * which would go on.
 */
export async function together<const S extends Steps>(dialect: Dialect, steps: S): Promise<Results<S>> {
  // Proven by construction: one result for each step, in order.
  if (dialect === 'postgres') return trusted<Results<S>>(await Promise.all(steps.map((step) => step())))
  const results: unknown[] = []
  for (const step of steps) results.push(await step())
  return trusted<Results<S>>(results)
}

/**
 * One transaction of statements that need no answer of each other, anew as `transact` does. They go to
 * PostgreSQL in one flight, where each of its own would cost the way there and back.
 */
export async function transactAll(
  { dialect, borrow }: Db,
  statements: readonly CompiledQuery[],
): Promise<void> {
  const send = (query: Query): Promise<unknown> =>
    together(
      dialect,
      [BEGIN, ...statements, COMMIT].map((one) => () => query(one, one.parameters)),
    )
  await anew(() =>
    borrow((query) =>
      send(query).catch(async (error) => {
        await rolledBack(query)
        throw error
      }),
    ),
  )
}

/** Rows of a statement: with 50 a row takes more again. */
const TOGETHER = 10

/**
 * Inserts rows, by a text for so many. On the embedded database a statement of a few rows takes half the CPU
 * of one for all (2026-11-22).
 */
export function openInsertion(
  insertOf: (rows: number) => string,
): (query: Query, rows: readonly (readonly unknown[])[]) => Promise<void> {
  const [insertTen, insertOne] = [CompiledQuery.raw(insertOf(TOGETHER)), CompiledQuery.raw(insertOf(1))]
  return async (query, rows) => {
    let at = 0
    for (; at + TOGETHER <= rows.length; at += TOGETHER) {
      const parameters: unknown[] = []
      for (const row of rows.slice(at, at + TOGETHER)) parameters.push(...row)
      await query(insertTen, parameters)
    }
    for (const row of rows.slice(at)) await query(insertOne, row)
  }
}

/**
 * The rows of a statement. A connection of PostgreSQL plans it once, which is most of its cost, and anew
 * after its tables were analyzed: it is not for one that grows by much in a minute.
 */
export function prepareRows<R>({ dialect, kysely, borrow }: Db, statement: CompiledQuery<R>) {
  return async (...parameters: readonly unknown[]): Promise<R[]> => {
    if (dialect === 'postgres') return borrow((query) => query(statement, parameters))
    const values = parameters.map((one) => (Array.isArray(one) ? JSON.stringify(one) : one))
    return (await kysely.executeQuery<R>({ ...statement, parameters: values })).rows
  }
}

/** A condition of such a statement: the column is one of a list of texts, a parameter. */
export const isListed = ({ dialect }: Db, column: string) =>
  dialect === 'postgres'
    ? sql<boolean>`${sql.ref(column)} = any(${''})`
    : sql<boolean>`${sql.ref(column)} in (select value from json_each(${''}))`

const MOST_BATCHES = 5_000
/** Rows of a batch: of the first one, and of each on PostgreSQL. */
const BATCH = { sqlite: 10, postgres: 200 } as const
/** On the embedded database all wait for a batch. A certificate with its PDF takes a millisecond alone. */
const [SHORT_MS, LONG_MS, PAUSE_MS] = [1, 2, 5]

/**
 * Deletes in batches until one is not full, or the signal comes; returns how many rows. On the embedded
 * database others ask between two batches, which grow and shrink; `remove` deletes `size` rows at most.
 */
export async function deleteInBatches(
  db: Db,
  signal: AbortSignal | undefined,
  remove: (size: number, kysely: Db['kysely']) => Promise<number>,
): Promise<number> {
  let total = 0
  let size: number = BATCH[db.dialect]
  for (let batch = 0; batch < MOST_BATCHES && !signal?.aborted; batch++) {
    let began = 0
    const deleted = await relaxed(db, (kysely) => {
      began = performance.now()
      return remove(size, kysely)
    })
    const ms = performance.now() - began
    total += deleted
    if (deleted < size) break
    if (db.dialect === 'sqlite') {
      // Each row may be on a page of its own.
      db.noteWrite(size / 20)
      if (ms < SHORT_MS) size *= 2
      else if (ms > LONG_MS) size = Math.ceil(size / 2)
    }
    await delay(PAUSE_MS)
  }
  return total
}

/** Tables whose rows end at an instant of their own, by their keys. */
const EXPIRING = {
  acessos: 'id',
  cache: 'chave',
  certidoes: 'chave',
  codigos: 'hash',
  consultas_guardadas: 'request_id, parte',
  idempotencia: 'chave',
} as const

export const deleteExpired = (
  db: Db,
  table: keyof typeof EXPIRING,
  instant: number,
  signal: AbortSignal | undefined,
): Promise<number> =>
  deleteInBatches(db, signal, async (size, kysely) => {
    const key = sql.raw(EXPIRING[table])
    // The instant stands twice: a row may have been taken anew since the look.
    const { numAffectedRows = 0n } = await sql`
      delete from ${sql.table(table)} where expira_em <= ${instant} and (${key}) in (
        select ${key} from ${sql.table(table)} where expira_em <= ${instant} limit ${size})`.execute(kysely)
    return Number(numAffectedRows)
  })

export type Durable = <T>(work: (connection: Kysely<Tables>) => Promise<T>) => Promise<T>

/**
 * Writes that wait for the disk while other requests go on. On the embedded database, writes that end during
 * a wait share the next one; PostgreSQL does the same by itself.
 */
export function openDurable(db: Db): Durable {
  if (db.dialect === 'postgres') return (work) => work(db.kysely)
  const synced = openGroupCommit(async (writes: true[]) => {
    await db.syncLog()
    return writes
  })
  return async (work) => {
    const result = await relaxed(db, work)
    await synced.add(true)
    return result
  }
}
