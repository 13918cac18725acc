import { test } from 'node:test'
import { setTimeout as rest } from 'node:timers/promises'
import type { Log } from '../../src/platform/start.ts'

/** A Saturday noon in Brasília, in the middle of a month and far from every renewal. */
export const NOW = new Date('2026-11-14T15:00:00Z')

/** How often a property is tried: `todas` times in `npm run test:longo`, a quarter of that in `npm test`. */
export const vezes = (todas: number): number => (process.env.LONGO ? todas : Math.ceil(todas / 4))

/** The rest between two looks at what another process does. Who looks without a rest takes its core. */
export const pausa = (): Promise<void> => rest(10)

/** A log that nobody reads. */
export const quiet: Log = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} }

/**
 * The first row of a matrix in `npm test`, the others in `npm run test:longo`. A longo file imports the file
 * of `npm test` to run them.
 */
export const rowsOf = <Row>(all: readonly Row[]): readonly Row[] =>
  process.env.LONGO ? all.slice(1) : all.slice(0, 1)

/** A test that `npm test` alone runs, in a file that a longo file imports for its other rows. */
export const testOnce: typeof test = process.env.LONGO ? Object.assign(() => Promise.resolve(), test) : test

/** Rows that are `npm run test:longo`'s alone, beside one of another kind that runs in `npm test` too. */
export const ofLongo = <Row>(all: readonly Row[]): readonly Row[] => (process.env.LONGO ? all : [])

/**
 * Gives the results of `work` for the items, in their order, with a few at a time: a loaded machine is no
 * failure.
 */
export async function inTurns<T, R>(
  items: readonly T[],
  many: number,
  work: (item: T) => Promise<R>,
): Promise<R[]> {
  const results: R[] = []
  const left = items.entries()
  const worker = async (): Promise<void> => {
    for (const [index, item] of left) results[index] = await work(item)
  }
  await Promise.all(Array.from({ length: many }, worker))
  return results
}
