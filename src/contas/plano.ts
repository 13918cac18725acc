import { randomUUID } from 'node:crypto'
import type { NomePlano } from '../domain/credito/planos.ts'
import type { Saldo } from '../domain/credito/saldo.ts'
import { openCommitHealth } from '../store/db/commit-health.ts'
import type { Db } from '../store/db/db.ts'
import { openBatch } from '../store/ledger/batch.ts'

/** The node of entries that no server process writes: account commands write them. */
export const OPERADOR = 'operador'

/**
 * Moves an account to another plan. An upgrade adds at once what the month's quota lacks; a downgrade takes nothing back
 * and counts from the next month. Nodes follow within five seconds.
 */
export async function changePlano(db: Db, conta_id: string, plano: NomePlano, now: Date): Promise<Saldo> {
  const commit = openBatch(db, { no: OPERADOR, now: () => now, health: openCommitHealth(db) })
  const [outcome] = await commit([{ kind: 'plan', conta_id, request_id: `plano:${randomUUID()}`, plano }])
  if (!outcome) throw new Error('a commit of one order has one outcome')
  return outcome.saldo
}
