import type { House } from './harness.ts'

/** A table without which a service cannot answer: its cached answers, or its credit holds. */
export type Vital = 'cache' | 'retencoes'

/** Takes a table away from a running service. The next use of the table is then a failure of our own. */
export async function loseTable({ ctx }: Pick<House, 'ctx'>, table: Vital): Promise<void> {
  await ctx.store.db.kysely.schema.dropTable(table).execute()
}
