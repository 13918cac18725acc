import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { type Logger, pino } from 'pino'
import { type BaseAtiva, openBaseAtiva } from '../base-cnpj/versoes/ativa.ts'
import { type Config, usesCcc } from '../config/config.ts'
import { type CaptchaSolver, noSolver } from '../sources/captcha/captcha.ts'
import { openWebhook } from '../sources/captcha/webhook.ts'
import { createGuard, type Guard } from '../sources/guard/guard.ts'
import { type Http, openTransport } from '../sources/transport/transport.ts'
import { type Cache, openCache } from '../store/cache/cache.ts'
import { type NfeCache, openNfeCache } from '../store/cache/nfe-xml.ts'
import { openReconhecidos, type Reconhecidos } from '../store/cache/reconhecidos.ts'
import { type Consumo, openConsumo } from '../store/chamadas/consumo.ts'
import { type Idempotencia, openIdempotencia } from '../store/chamadas/idempotencia.ts'
import { type AddressCount, openAddressCount } from '../store/contas/address-count.ts'
import { type KeyCache, openKeyCache } from '../store/contas/key-cache.ts'
import { openRateLimit, type RateLimit } from '../store/contas/rate-limit.ts'
import { type Db, openDb } from '../store/db/db.ts'
import { openTurnos, type Turnos } from '../store/jobs/turnos.ts'
import { type Ledger, openLedger } from '../store/ledger/ledger.ts'
import { type Leituras, openLeituras } from '../store/leituras/leituras.ts'
import type { Authorities } from './authorities.ts'
import { makeDataFolder, secretOf } from './data-folder.ts'
import { StartError } from './start-error.ts'

/** How many refused keys a minute an address may send before the rest is turned away unread. */
const REFUSED_KEYS = 60

/** What a request, a job or a command may use, made once by hand when the process starts. */
export type Context = {
  config: Config
  /** Whose answers are given: the simulator's, the authorities', or their test environments'. */
  ambiente: 'producao' | 'homologacao' | 'simulador'
  log: Logger
  now: () => Date
  /** Encrypts what is stored and must not be read there. */
  secret: string
  db: Db
  keys: KeyCache
  /** The API keys that were refused, by the address they came from. */
  refusedKeys: AddressCount
  ledger: Ledger
  rateLimit: RateLimit
  base: BaseAtiva
  /** The door to the authorities. */
  http: Http
  /** Asks one source at a time within its limits. */
  guard: Guard
  /** Whether the national register may be asked where a state cannot be. */
  ccc: boolean
  /** Who solves the captchas of states' pages. */
  captcha: CaptchaSolver
  cache: Cache
  /** The XML of notes that were delivered. */
  xmls: NfeCache
  /** The certificates that an authority has taken for genuine. */
  reconhecidos: Reconhecidos
  /** The turns of the sources that all nodes ask as one. */
  turnos: Turnos
  /** The queries by key that the national environment allows each holder. */
  consumo: Consumo
  /** The calls that their clients may repeat. */
  idempotencia: Idempotencia
  /** What becomes of the queries to the sources. */
  leituras: Leituras
  authorities: Authorities
  /** Waits for the ledger and closes everything. */
  close: () => Promise<void>
}

/** The part of the context that account commands need. */
export type Books = Pick<Context, 'secret' | 'db' | 'ledger' | 'close'>

/** Opens the accounts and the ledger. `servidor`: as the one server of an embedded database. Throws StartError or StoreError for what the operator can mend. */
export async function openBooks(config: Config, now: () => Date, servidor: boolean): Promise<Books> {
  makeDataFolder(config)
  const secret = secretOf(config)
  const arquivo = join(config.DATA_DIR, 'consulta-fiscal.db')
  const db = await openDb({ databaseUrl: config.DATABASE_URL, arquivo, servidor })
  const ledger = openLedger(db, { no: randomUUID(), now })
  const close = async (): Promise<void> => {
    await ledger.close()
    await db.close()
  }
  return { secret, db, ledger, close }
}

/** The log: one JSON line an event, on standard output. */
export const createLog = ({ LOG_LEVEL }: Config): Logger =>
  pino({ level: LOG_LEVEL, base: null, timestamp: pino.stdTimeFunctions.isoTime })

/** Opens everything that the settings name, for the server, over authorities already opened; closes them too. Throws StartError or StoreError for what the operator can mend. */
export async function createContext(
  config: Config,
  { now, log, opening }: { now: () => Date; log: Logger; opening: Promise<Authorities> },
): Promise<Context> {
  const books = await openBooks(config, now, true)
  try {
    const base = openBase(config)
    const authorities = await opening
    const doors = openDoors(authorities)
    const ambiente = ambienteOf(config)
    const cache = openCache(books.db, { now, log, fonte: ambiente })
    const leituras = openLeituras(books.db, { no: randomUUID(), now, ambiente, log })
    const { ritmo } = authorities
    return {
      ...books,
      config,
      ambiente,
      log,
      now,
      keys: openKeyCache(books.db, { now }),
      refusedKeys: openAddressCount({ limit: REFUSED_KEYS, now }),
      rateLimit: openRateLimit(books.db, now),
      base,
      http: doors.http,
      guard: createGuard(log, { ritmo, now, onCall: leituras.note }),
      ccc: usesCcc(config),
      captcha: doors.captcha,
      cache,
      xmls: openNfeCache(cache, books.secret),
      reconhecidos: openReconhecidos(cache),
      ...openRecords(books, { now, ambiente }),
      leituras,
      authorities,
      close: async () => {
        base.close()
        await doors.close()
        await cache.close()
        await leituras.close()
        await books.close()
        await authorities.close()
      },
    }
  } catch (error) {
    await books.close()
    throw error
  }
}

/** Opens what is remembered of the calls for notes, and of the turns of sources. */
const openRecords = (
  { db, secret }: Books,
  of: { now: () => Date; ambiente: Context['ambiente'] },
): Pick<Context, 'consumo' | 'idempotencia' | 'turnos'> => ({
  consumo: openConsumo(db, { ...of, secret }),
  idempotencia: openIdempotencia(db, { ...of, secret }),
  turnos: openTurnos(db, of),
})

/** Whose answers a service with these settings gives. */
export const ambienteOf = ({ AUTHORITIES, SEFAZ_AMBIENTE }: Config): Context['ambiente'] =>
  AUTHORITIES === 'live' ? SEFAZ_AMBIENTE : 'simulador'

/** Opens the door to the authorities, and to who solves their captchas. */
export function openDoors({ dial, captcha }: Authorities): {
  http: Http
  captcha: CaptchaSolver
  close: () => Promise<void>
} {
  const http = openTransport(dial)
  // The operator's own services are where they say that they are, also beside the simulator.
  const direct = openTransport({ mode: 'live', ca: [], hosts: {} })
  const close = async (): Promise<void> => {
    await http.close()
    await direct.close()
  }
  return { http, captcha: captcha ? openWebhook(direct, captcha) : noSolver, close }
}

function openBase(config: Config): BaseAtiva {
  try {
    return openBaseAtiva(join(config.DATA_DIR, 'cnpj'), { mascararCpf: config.CNPJ_MASK_CPF })
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new StartError(
      `A base CNPJ ativa não pôde ser aberta: ${reason}\nEscolha outra versão ("npm run fiscal -- cnpj versoes", "cnpj ativar") ou importe de novo ("cnpj importar").`,
      { cause: error },
    )
  }
}
