import { randomUUID } from 'node:crypto'
import { openCommitHealth } from '../platform/db/commits.ts'
import type { Db } from '../platform/db/db.ts'
import { openBatch } from '../platform/ledger/io.ts'
import type { NomePlano, Saldo } from '../platform/ledger/rules.ts'

/** The node of entries that account commands write, and no server process. */
export const OPERADOR = 'operador'

/**
 * Moves an account to another plan; nodes follow within five seconds. An upgrade adds the difference at once,
 * and a downgrade counts from the next month.
 */
export async function changePlano(db: Db, conta_id: string, plano: NomePlano, now: Date): Promise<Saldo> {
  const commit = openBatch(db, { no: OPERADOR, now: () => now, health: openCommitHealth(db) })
  const [outcome] = await commit([{ kind: 'plan', conta_id, request_id: `plano:${randomUUID()}`, plano }])
  if (!outcome) throw new Error('a commit of one order has one outcome')
  return outcome.saldo
}
