import type { House } from './harness.ts'

/**
 * A table that a service cannot do without: its accounts, its cached answers, its balances, its credit
 * holds, its jobs, or its session with SIGEF.
 */
export type Vital = 'contas' | 'cache' | 'saldos' | 'retencoes' | 'trabalhos' | 'sessoes'

/** Takes a table away from a running service. The next use of the table is then a failure of our own. */
export async function loseTable({ rooms }: Pick<House, 'rooms'>, table: Vital): Promise<void> {
  await rooms.platform.db.kysely.schema.alterTable(table).renameTo(`${table}_perdida`).execute()
}
