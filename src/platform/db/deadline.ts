import { AsyncLocalStorage } from 'node:async_hooks'

/** How long a query may take that a caller waits for: more is a database that does not answer. */
const QUERY_MS = 5_000
/** The same for work that nobody waits for, and that walks many rows. */
const LONG_MS = 5 * 60_000

const patience = new AsyncLocalStorage<number>()

/** The milliseconds that a query of this moment may take. */
export const deadlineMs = (): number => patience.getStore() ?? QUERY_MS

/** Runs work whose queries may take long: migrations, sweeps, sums, commands. */
export const withPatience = <T>(work: () => Promise<T>): Promise<T> => patience.run(LONG_MS, work)

/** Runs work whose queries may take no longer than usual, whatever it is a part of. */
export const withoutPatience = <T>(work: () => Promise<T>): Promise<T> => patience.run(QUERY_MS, work)
