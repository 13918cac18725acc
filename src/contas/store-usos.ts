import { setImmediate as nextTurn } from 'node:timers/promises'
import { CompiledQuery, sql } from 'kysely'
import { nextRenewal, periodoOf, startOf } from '../documento/dia.ts'
import type { Db } from '../platform/db/db.ts'
import { deleteInBatches, openInsertion, relaxedTransaction } from '../platform/db/queries.ts'
import type { UsosTable } from '../platform/db/tables.ts'
import { DIAS_DO_REGISTRO, type Outcome, type OutcomeSink } from '../platform/http/outcome.ts'
import { workAlone } from '../platform/jobs/lease.ts'
import { deleteOldestDias } from './store-dias.ts'
import { LOTE, openIndexer } from './store-indice.ts'

/** A drop waits for those who read the table, and whoever writes waits behind it: for this long at most. */
const DROP_MS = 2_000

export const monthAfter = (mes: string): string => periodoOf(nextRenewal(startOf(mes)))

export async function createPartitions({ kysely, dialect }: Db, months: readonly string[]): Promise<void> {
  await kysely.transaction().execute(async (trx) => {
    await workAlone(trx, { dialect, nome: 'usos' })
    for (const mes of months) {
      const [from, to] = [startOf(mes), startOf(monthAfter(mes))].map((bound) => sql.lit(bound.getTime()))
      await sql`create table if not exists ${sql.table(nameOf(mes))}
        partition of usos for values from (${from}) to (${to})`.execute(trx)
    }
  })
}

async function dropPartitions({ kysely }: Db, instant: number): Promise<number> {
  const { rows } = await sql<{ nome: string }>`
    select c.relname as nome from pg_inherits i join pg_class c on c.oid = i.inhrelid
    where i.inhparent = 'usos'::regclass`.execute(kysely)
  const over = rows.filter(({ nome }) => startOf(monthAfter(monthOf(nome))).getTime() <= instant)
  for (const { nome } of over)
    await kysely.transaction().execute(async (trx) => {
      await sql`set local lock_timeout = ${sql.lit(DROP_MS)}`.execute(trx)
      await sql`drop table if exists ${sql.table(nome)}`.execute(trx)
    })
  return over.length
}

const nameOf = (mes: string): string => `usos_${mes.replace('-', '_')}`
const monthOf = (nome: string): string => nome.slice('usos_'.length).replace('_', '-')

/** Writes rows, without waiting for the disk; a row that is there already stays as it is. */
export const insertUsos = (db: Db, rows: readonly UsosTable[]): Promise<unknown> =>
  db.dialect === 'sqlite' ? insertEach(db, rows) : insertTogether(db, rows)

const COLUNAS = `criado_em, request_id, conta_id, endpoint, documento, uf, http, error_code, creditos, cached,
  ms, fontes_falhas, fonte_code`
const QUANTAS = 13

const insertUsosOnSqlite = openInsertion(
  (rows) =>
    `insert into usos (${COLUNAS}) values ${Array(rows).fill('(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)').join()}
    on conflict do nothing`,
)

const insertEach = (db: Db, rows: readonly UsosTable[]): Promise<void> =>
  relaxedTransaction(db, (query) => insertUsosOnSqlite(query, rows.map(valuesOf)))

const insertUsosOnPostgres = CompiledQuery.raw(`
  insert into usos (${COLUNAS})
  select cast(criado_em as bigint), request_id, conta_id, endpoint, documento, uf, cast(http as integer), error_code,
    cast(creditos as bigint), cast(cached as integer), cast(ms as integer), cast(fontes_falhas as integer), fonte_code
  from rows from (${Array.from({ length: QUANTAS }, (_, at) => `json_array_elements_text($${at + 1})`).join()})
    as n (${COLUNAS})
  on conflict do nothing`)

/**
 * On PostgreSQL each column travels as one JSON text: a row in its own text, read a value at a time, took its
 * processes twice as long (2026-11-30), and parameters half as much CPU again (2026-11-22).
 */
function insertTogether(db: Db, rows: readonly UsosTable[]): Promise<unknown> {
  const values = rows.toSorted(byConta).map(valuesOf)
  const columns = Array.from({ length: QUANTAS }, (_, at) => JSON.stringify(values.map((row) => row[at])))
  return db.borrow((query) => query(insertUsosOnPostgres, columns))
}

// Side by side in the index of the accounts: with ten accounts a row took half as much again (2026-11-23).
const byConta = (a: UsosTable, b: UsosTable): number =>
  a.conta_id < b.conta_id ? -1 : Number(a.conta_id > b.conta_id)

const valuesOf = (row: UsosTable): (string | number)[] => [
  ...[row.criado_em, row.request_id, row.conta_id, row.endpoint, row.documento, row.uf, row.http],
  ...[row.error_code, row.creditos, row.cached, row.ms, row.fontes_falhas, row.fonte_code],
]

async function deleteOldest(kysely: Db['kysely'], instant: number, most: number): Promise<number> {
  const { numAffectedRows = 0n } = await sql`
    delete from usos where (criado_em, request_id) in (
      select criado_em, request_id from usos where criado_em < ${instant} order by criado_em limit ${most})`.execute(
    kysely,
  )
  return Number(numAffectedRows)
}

const DAY_MS = 86_400_000
/** Rows written at once: on the embedded database other requests wait meanwhile. */
const BATCH = 200
/** Rows that wait in memory at most, some 5 MB. */
const MOST = 10_000

/**
 * Calls that are younger may still be written, by another node, or by this one a moment later: the mark would
 * then stay, and the pass be done again. On PostgreSQL what comes later enters the sums with its row.
 */
const LATE_MS = { sqlite: 250, postgres: 10_000 } as const

/** The calls of the accounts: gathered in memory, written now and then, kept for 90 days. */
export type Usos = {
  note: OutcomeSink
  /** Calls that were not written, because the database took too few, since the process started. */
  dropped: () => number
  flush: () => Promise<void>
  /** Brings sums and index up to the calls that were written `lateMs` ago. Who reads adds the rest. */
  index: (lateMs?: number) => Promise<void>
  /** Lets an owner see the call that has just ended. A failure is left to the clock. */
  flushOf: (conta_id: string) => Promise<void>
  /** Deletes calls after 90 days, sums after 13 months. How many calls; on PostgreSQL, how many months. */
  sweep: (signal?: AbortSignal) => Promise<number>
  /** Writes and indexes what is new for the last time; a failure is only logged. */
  close: () => Promise<void>
}

type Options = { now: () => Date; log: { error: (fields: object, message: string) => void } }

export function openUsos(db: Db, { now, log }: Options): Usos {
  const waiting: UsosTable[] = []
  const months = new Set<string>()
  let dropped = 0
  let untold = 0
  let writing: Promise<void> | undefined
  /** After a failure nothing but the clock starts the next try. */
  let failing = false
  const bringUp = openIndexer(db)
  let indexing: Promise<void> | undefined
  let behind = 0

  function note(outcome: Outcome): void {
    const { conta, http } = outcome
    // A plan bounds the calls of an account, but not how many of them its rate limit turns away.
    if (conta === undefined || http === 429) return
    if (waiting.length >= MOST) {
      dropped += 1
      untold += 1
      return
    }
    waiting.push(toRow(outcome, conta, now()))
    if (waiting.length >= BATCH && !failing) flush().catch(() => {})
  }

  async function write(): Promise<void> {
    if (untold > 0) log.error({ dropped: untold }, 'calls were dropped, not counted as usage')
    untold = 0
    try {
      // Only what waits now: under load it would else go on for ever, a few rows at a time.
      for (let left = waiting.length; left > 0; left -= BATCH) {
        const rows = waiting.slice(0, Math.min(BATCH, left))
        if (db.dialect === 'postgres') await preparePartitions(rows)
        await insertUsos(db, rows)
        waiting.splice(0, rows.length)
        behind += rows.length
        await nextTurn()
      }
      failing = false
      // What fails is left to the clock, which tells it.
      if (behind >= LOTE) index().catch(() => {})
    } catch (error) {
      failing = true
      months.clear()
      throw error
    }
  }

  async function preparePartitions(rows: readonly UsosTable[]): Promise<void> {
    const wanted = new Set(rows.map(({ criado_em }) => periodoOf(new Date(criado_em))))
    wanted.add(monthAfter(periodoOf(now())))
    const missing = [...wanted].filter((mes) => !months.has(mes))
    if (missing.length === 0) return
    await createPartitions(db, missing)
    for (const mes of missing) months.add(mes)
  }

  function flush(): Promise<void> {
    writing ??= write().finally(() => {
      writing = undefined
    })
    return writing
  }

  function index(lateMs: number = LATE_MS[db.dialect]): Promise<void> {
    behind = 0
    indexing ??= bringUp(now().getTime() - lateMs).finally(() => {
      indexing = undefined
    })
    return indexing
  }

  async function flushOf(conta_id: string): Promise<void> {
    // A write that is under way may have begun before the call.
    for (let turn = 0; turn < 2 && waiting.some((row) => row.conta_id === conta_id); turn++)
      await flush().catch(() => {})
  }

  async function sweep(signal?: AbortSignal): Promise<number> {
    const today = now().getTime()
    const instant = today - DIAS_DO_REGISTRO * DAY_MS
    // The sums outlive the calls.
    await index()
    const swept =
      db.dialect === 'postgres'
        ? await dropPartitions(db, instant)
        : await deleteInBatches(db, signal, (size, kysely) => deleteOldest(kysely, instant, size))
    await deleteInBatches(db, signal, (size, kysely) => deleteOldestDias(kysely, today, size))
    return swept
  }

  return {
    note,
    flush,
    flushOf,
    index,
    sweep,
    dropped: () => dropped,
    close: async () => {
      await Promise.allSettled([writing, indexing])
      await flush()
        .then(() => index(0))
        .catch((err) => log.error({ err, dropped: waiting.length }, 'usage could not be written'))
    },
  }
}

const toRow = (outcome: Outcome, conta_id: string, instant: Date): UsosTable => ({
  conta_id,
  criado_em: instant.getTime(),
  request_id: outcome.request_id,
  endpoint: outcome.endpoint,
  documento: outcome.document,
  uf: outcome.uf,
  http: outcome.http,
  // What nobody answered is a failure to people, with whatever status it was sent.
  error_code: outcome.error_code || (outcome.silence ?? ''),
  creditos: outcome.creditos,
  cached: outcome.cached ? 1 : 0,
  ms: Math.round(outcome.ms),
  fontes_falhas: outcome.source_failures,
  fonte_code: outcome.source_code,
})
