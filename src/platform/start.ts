import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Config } from './config/settings.ts'
import { explainFolder } from './start-error.ts'

/** From here on the process makes its files and folders for its owner alone, in any folder. */
export function keepToOneself(): void {
  process.umask(0o077)
}

/** Makes the data folder, for its owner alone. Throws StartError. */
export const makeDataFolder = ({ DATA_DIR }: Config): void => explained(DATA_DIR, () => makeFolder(DATA_DIR))

/**
 * The secret that encrypts what is stored and must not be read there: the operator's, or the one of the data
 * folder. Throws StartError.
 */
export const secretOf = ({ DATA_DIR, SERVER_SECRET }: Config): string =>
  SERVER_SECRET ?? explained(DATA_DIR, () => readSecret(DATA_DIR))

/** The secret of the data folder. The first start makes it, and only the owner of the folder can read it. */
function readSecret(pasta: string): string {
  const file = join(pasta, 'segredo-do-servidor')
  if (!existsSync(file))
    writeFileSync(file, `${randomBytes(32).toString('base64url')}\n`, { mode: 0o600, flag: 'wx' })
  const secret = readFileSync(file, 'utf8').trim()
  if (secret.length < 32) {
    throw new Error(
      `O arquivo ${file} está incompleto. Restaure a cópia de segurança dele, ou defina SERVER_SECRET.`,
    )
  }
  return secret
}

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
