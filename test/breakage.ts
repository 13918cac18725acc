import type { House } from './harness.ts'

/** A table without which a service cannot answer: the answers that it keeps, or the credits that it holds. */
export type Vital = 'cache' | 'retencoes'

/** Takes a table away from a running service, so that its next use is a failure of our own. */
export async function loseTable({ ctx }: Pick<House, 'ctx'>, table: Vital): Promise<void> {
  await ctx.store.db.kysely.schema.dropTable(table).execute()
}
