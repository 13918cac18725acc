import type { Log } from '../../src/platform/start.ts'

/** A log that nobody reads. */
export const quiet: Log = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} }
