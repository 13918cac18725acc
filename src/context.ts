import { randomUUID } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { type Logger, pino } from 'pino'
import type { Config } from './config.ts'
import { explainStart } from './start-error.ts'
import { type BaseAtiva, openBaseAtiva } from './store/cnpj-base/active.ts'
import { type Db, openDb } from './store/db.ts'
import { type KeyCache, openKeyCache } from './store/key-cache.ts'
import { type Ledger, openLedger } from './store/ledger.ts'
import { openRateLimit, type RateLimit } from './store/rate-limit.ts'
import { readServerSecret } from './store/server-secret.ts'

/** What a request, a job or a command may use, made once by hand when the process starts. */
export type Context = {
  config: Config
  log: Logger
  now: () => Date
  /** Encrypts the stored API keys. */
  secret: string
  db: Db
  keys: KeyCache
  ledger: Ledger
  rateLimit: RateLimit
  base: BaseAtiva
  /** Waits for the ledger and closes everything. */
  close: () => Promise<void>
}

/** Opens everything that the settings name. Throws StartError or StoreError for what the operator can mend. */
export async function createContext(config: Config, now: () => Date, servidor: boolean): Promise<Context> {
  const pasta = config.DATA_DIR
  try {
    mkdirSync(pasta, { recursive: true })
  } catch (error) {
    throw explainStart(error, pasta)
  }
  const secret = config.SERVER_SECRET ?? readServerSecret(pasta)
  const db = await openDb({
    databaseUrl: config.DATABASE_URL,
    arquivo: join(pasta, 'consulta-fiscal.db'),
    servidor,
  })
  const ledger = openLedger(db, { no: randomUUID(), now })
  const rateLimit = openRateLimit(db, now)
  const base = openBaseAtiva(join(pasta, 'cnpj'), { mascararCpf: config.CNPJ_MASK_CPF })
  return {
    config,
    log: pino({ level: config.LOG_LEVEL, base: null, timestamp: pino.stdTimeFunctions.isoTime }),
    now,
    secret,
    db,
    keys: openKeyCache(db, { now }),
    ledger,
    rateLimit,
    base,
    close: async () => {
      await ledger.close()
      base.close()
      await db.close()
    },
  }
}
