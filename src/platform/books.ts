import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import type { Config } from './config/settings.ts'
import { type Db, openDb } from './db/db.ts'
import { type Ledger, openLedger, takeNo } from './ledger/ledger.ts'
import { makeDataFolder, secretOf } from './start.ts'

export type Books = { secret: string; db: Db; ledger: Ledger; close: () => Promise<void> }

/** `servidor`: as the one server of an embedded database. Throws StartError or StoreError. */
export async function openBooks(config: Config, now: () => Date, servidor: boolean): Promise<Books> {
  makeDataFolder(config)
  const secret = secretOf(config)
  const arquivo = join(config.DATA_DIR, 'consulta-fiscal.db')
  const { DATABASE_URL: databaseUrl, DATABASE_CONNECTIONS: conexoes } = config
  const db = await openDb({ databaseUrl, arquivo, servidor, conexoes })
  // A command writes few entries, and gives no sign of life.
  const no = servidor ? await takeNo(db, now).catch((error) => closeFor(db, error)) : randomUUID()
  const ledger = openLedger(db, { no, now })
  const close = async (): Promise<void> => {
    await ledger.close()
    await db.close()
  }
  return { secret, db, ledger, close }
}

async function closeFor(db: Db, error: unknown): Promise<never> {
  await db.close()
  throw error
}
