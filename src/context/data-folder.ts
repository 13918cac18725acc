import { mkdirSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Config } from '../config/config.ts'
import { readServerSecret } from '../store/segredo/server-secret.ts'
import { explainFolder } from './start-error.ts'

/** From here on the process makes its files and folders for its owner alone, whatever folder they are in. */
export function keepToOneself(): void {
  process.umask(0o077)
}

/** Makes the data folder, for its owner alone. Throws StartError. */
export const makeDataFolder = ({ DATA_DIR }: Config): void => explained(DATA_DIR, () => makeFolder(DATA_DIR))

/**
 * The server's secret: the operator's, or the one of the data folder, made at the first start. Throws
 * StartError.
 */
export const secretOf = ({ DATA_DIR, SERVER_SECRET }: Config): string =>
  SERVER_SECRET ?? explained(DATA_DIR, () => readServerSecret(DATA_DIR))

function explained<T>(folder: string, work: () => T): T {
  try {
    return work()
  } catch (error) {
    throw explainFolder(error, folder)
  }
}

/**
 * Makes a folder and its parents, each for its owner only. Node's own `recursive` hangs where the system
 * makes no folder, as below /proc (Node 24.21, 2026-11-22).
 */
export function makeFolder(folder: string): void {
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory()) return
  const above = dirname(folder)
  if (above !== folder) makeFolder(above)
  try {
    mkdirSync(folder, { mode: 0o700 })
  } catch (error) {
    // Another process may have made it meanwhile.
    if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) throw error
  }
}
