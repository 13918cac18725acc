import { sql } from 'kysely'
import type { Db } from '../../src/platform/db/db.ts'

/** Written out: a program that is started to be killed would load 300 files to make it. */
const payload = {
  type: 'object',
  required: ['numero'],
  properties: { numero: { type: 'integer' } },
} as const

/** A kind of job for tests, with three attempts. Its result is kept for a day. */
export const contar = {
  kind: 'contar',
  payload,
  key: ({ numero }: { numero: number }) => String(numero),
  attempts: 3,
  backoffMs: 1_000,
  keptMs: 24 * 60 * 60_000,
}

/** Lets time pass for the database: every noted instant moves back by so much. */
export const pass = (db: Db, ms: number) =>
  sql`update trabalhos set livre_em = livre_em - ${ms}, expira_em = expira_em - ${ms}`.execute(db.kysely)
