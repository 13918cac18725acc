import { setImmediate as nextTurn } from 'node:timers/promises'
import { periodoOf } from '../documento/dia.ts'
import type { Db } from '../platform/db/db.ts'
import { deleteInBatches } from '../platform/db/queries.ts'
import type { UsosTable } from '../platform/db/tables.ts'
import { DIAS_DO_REGISTRO, type Outcome, type OutcomeSink } from '../platform/http/outcome.ts'
import { deleteOldestDias } from './dias.ts'
import { createPartitions, dropPartitions, monthAfter } from './partitions.ts'
import { deleteOldest, insertUsos } from './usos-io.ts'

const DAY_MS = 86_400_000
/** Rows written at once: on the embedded database other requests wait meanwhile. */
const BATCH = 200
/** Rows that wait in memory at most, some 5 MB. */
const MOST = 10_000
/** Rows deleted at once. */
const DELETED = 1_000

/** The calls of the accounts: gathered in memory, written now and then, kept for 90 days. */
export type Usos = {
  /** Takes the outcome of a call in; nothing waits for it. */
  note: OutcomeSink
  /** Calls that were not written, because the database took too few, since the process started. */
  dropped: () => number
  /** Writes what is new. */
  flush: () => Promise<void>
  /**
   * Writes what is new if a call of this account waits, so that its owner sees the call that has just ended.
   * A failure is left to the clock.
   */
  flushOf: (conta_id: string) => Promise<void>
  /**
   * Deletes what is older than 90 days, and sums older than 13 months; returns how many rows of calls, on
   * PostgreSQL how many months.
   */
  sweep: () => Promise<number>
  /** Writes what is new for the last time; a failure is only logged. */
  close: () => Promise<void>
}

type Options = { now: () => Date; log: { error: (fields: object, message: string) => void } }

/** Opens the calls of the accounts over a database. Makes no query by itself. */
export function openUsos(db: Db, { now, log }: Options): Usos {
  const waiting: UsosTable[] = []
  /** Months that have their partition, as far as is known. */
  const months = new Set<string>()
  let dropped = 0
  let untold = 0
  let writing: Promise<void> | undefined
  /** After a failure nothing but the clock starts the next try. */
  let failing = false

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
        await nextTurn()
      }
      failing = false
    } catch (error) {
      failing = true
      months.clear()
      throw error
    }
  }

  /** Makes the partitions of the rows, and the next month's ahead. */
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

  async function flushOf(conta_id: string): Promise<void> {
    // A write that is under way may have begun before the call.
    for (let turn = 0; turn < 2 && waiting.some((row) => row.conta_id === conta_id); turn++)
      await flush().catch(() => {})
  }

  async function sweep(): Promise<number> {
    const today = now().getTime()
    const instant = today - DIAS_DO_REGISTRO * DAY_MS
    const swept =
      db.dialect === 'postgres'
        ? await dropPartitions(db, instant)
        : await deleteInBatches(DELETED, (size) => deleteOldest(db, instant, size))
    await deleteInBatches(DELETED, (size) => deleteOldestDias(db, today, size))
    return swept
  }

  return {
    note,
    flush,
    flushOf,
    sweep,
    dropped: () => dropped,
    close: async () => {
      await writing?.catch(() => {})
      await flush().catch((err) => log.error({ err, dropped: waiting.length }, 'usage could not be written'))
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
  error_code: outcome.error_code,
  creditos: outcome.creditos,
  cached: outcome.cached ? 1 : 0,
  ms: Math.round(outcome.ms),
  fontes_falhas: outcome.source_failures,
  fonte_code: outcome.source_code,
})
