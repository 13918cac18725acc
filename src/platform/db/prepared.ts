import type { CompiledQuery, Kysely } from 'kysely'
import type { Tables } from './tables.ts'

/**
 * Runs a statement that was compiled once, with other parameters in the place of its own, in their order.
 * Gives the first row.
 */
export const prepareFirst =
  <R>(kysely: Kysely<Tables>, statement: CompiledQuery<R>) =>
  async (...parameters: readonly unknown[]): Promise<R | undefined> => {
    const { rows } = await kysely.executeQuery<R>({ ...statement, parameters })
    return rows[0]
  }
