import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { pino } from 'pino'
import type { Config } from './config/settings.ts'
import { codeOf } from './wire/fonte.ts'

export class StartError extends Error {
  override name = 'StartError'
}

type Reasons = Record<string, (where: string, names: { host: string; port: string }) => string>

const folderReasons: Reasons = {
  EACCES: (where) =>
    `Sem permissão para ler e gravar em ${where}. Corrija a permissão ou escolha outra pasta em DATA_DIR.`,
  EROFS: (where) => `${where} está em um disco somente de leitura. Escolha outra pasta em DATA_DIR.`,
  ENOSPC: (where) =>
    `Não há espaço em disco para ${where}. Libere espaço ou escolha outra pasta em DATA_DIR.`,
  ENOTDIR: (where) => `${where} não é uma pasta. Corrija DATA_DIR.`,
  EEXIST: (where) => `${where} não é uma pasta. Corrija DATA_DIR.`,
  ENOENT: (where) => `O sistema não deixa criar ${where}. Escolha outra pasta em DATA_DIR.`,
  EPERM: (where) => `O sistema não deixa gravar em ${where}. Escolha outra pasta em DATA_DIR.`,
  ENAMETOOLONG: (where) => `O caminho ${where} é longo demais. Escolha outra pasta em DATA_DIR.`,
  ELOOP: (where) => `O caminho ${where} passa por ligações em círculo. Escolha outra pasta em DATA_DIR.`,
}

const addressReasons: Reasons = {
  EADDRINUSE: (where, { port }) =>
    `${where} já está em uso por outro programa (talvez outro Consulta Fiscal). Pare-o, ou escolha outra porta: ${port}=8081 npm start`,
  EACCES: (where, { port }) =>
    `Sem permissão para escutar em ${where}. Escolha uma porta acima de 1023 em ${port}.`,
  EADDRNOTAVAIL: (where, { host }) => `${where} não é um endereço desta máquina. Corrija ${host}.`,
  ENOTFOUND: (where, { host }) => `O nome em ${where} não foi encontrado. Corrija ${host}.`,
}

/** Into a StartError if its reason is known, else as it is. */
export const explainFolder = (error: unknown, where: string): unknown => explain(error, where, folderReasons)

const SERVICE = { host: 'HOST', port: 'PORT' }

export const explainAddress = (error: unknown, where: string, names = SERVICE): unknown =>
  explain(error, where, addressReasons, names)

function explain(error: unknown, where: string, reasons: Reasons, names = SERVICE): unknown {
  const reason = reasons[codeOf(error)]
  return reason ? new StartError(reason(where, names), { cause: error }) : error
}

/** From here on the process makes its files and folders for its owner alone, in any folder. */
export function keepToOneself(): void {
  process.umask(0o077)
}

export const makeDataFolder = ({ DATA_DIR }: Config): void => explained(DATA_DIR, () => makeFolder(DATA_DIR))

/** The operator's, or the one of the data folder. Throws StartError. */
export const secretOf = ({ DATA_DIR, SERVER_SECRET }: Config): string =>
  SERVER_SECRET ?? explained(DATA_DIR, () => readSecret(DATA_DIR))

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

/** Node's own `recursive` hangs where the system makes no folder, as below /proc (24.21, 2026-11-22). */
export function makeFolder(folder: string): void {
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory()) return
  const above = dirname(folder)
  if (above !== folder) makeFolder(above)
  try {
    mkdirSync(folder, { mode: 0o700 })
  } catch (error) {
    if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) throw error
  }
}

/** A step that fails hinders none after it; the first failure is thrown at the end. */
export async function closeInTurn(steps: readonly (() => unknown)[]): Promise<void> {
  const failures: unknown[] = []
  for (const step of steps) {
    try {
      await step()
    } catch (error) {
      failures.push(error)
    }
  }
  if (failures.length > 0) throw failures[0]
}

type Line = (fields: object, message?: string) => void

export type Log = Record<'debug' | 'info' | 'warn' | 'error', Line> & {
  isLevelEnabled?: (level: string) => boolean
}

export const createLog = ({ LOG_LEVEL }: Pick<Config, 'LOG_LEVEL'>): Log =>
  pino({ level: LOG_LEVEL, base: null, timestamp: pino.stdTimeFunctions.isoTime })
