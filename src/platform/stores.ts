import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import type { Logger } from 'pino'
import { type BaseAtiva, openBaseAtiva } from '../cnpj/base/versoes.ts'
import { type Acessos, openAcessos, openRedes, type Redes } from '../contas/store-acessos.ts'
import { type KeyCache, openKeyCache, openLoginCache } from '../contas/store-chaves.ts'
import { openUsos, type Usos } from '../contas/store-usos.ts'
import { type Attempts, openAttempts } from '../contas/tentativas.ts'
import { type Certidoes, type Confianca, openCertidoes, openConfianca } from '../federal/store.ts'
import {
  type Consumo,
  type NfeCache,
  openConsumo,
  openNfeCache,
  openReconhecidos,
  type Reconhecidos,
} from '../nfe/store.ts'
import { type CatalogoAberto, openCatalogo } from '../rejeicoes/catalogo-aberto.ts'
import { openSessoes, type Sessoes } from '../rural/store.ts'
import { openSefaz, type Sefaz } from '../sefaz/store.ts'
import type { Books } from './books.ts'
import { type Cache, openCache } from './cache/cache.ts'
import { openSealedCache, type SealedCache } from './cache/sealed.ts'
import { ambienteOf } from './config/config.ts'
import type { Config } from './config/settings.ts'
import { messageOf } from './errors.ts'
import { type Idempotencia, openIdempotencia } from './http/idempotencia.ts'
import { type Jobs, openJobs } from './jobs/jobs.ts'
import { openTurnos, type Turnos } from './jobs/lease.ts'
import { type AddressCount, openAddressCount, openRateLimit, type RateLimit } from './limits.ts'
import { closeInTurn, StartError } from './start.ts'
import { type Leituras, openLeituras } from './wire/leituras.ts'

/** An address may send this many refused keys a minute. The rest is turned away unread. */
const REFUSED_KEYS = 60

/** An address may ask this often a minute without a key (specification, "Limits"). */
const PUBLIC_CALLS = 30

/** What the service keeps: accounts, ledger, caches, readings, the CNPJ base and the rejection catalogue. */
export type Store = Pick<Books, 'secret' | 'db' | 'ledger'> & {
  keys: KeyCache
  /** The accounts of the logins whose tokens were sent, by the login's id. */
  logins: KeyCache
  /** The API keys and the tokens that were refused, counted by the address they came from. */
  refusedKeys: AddressCount
  /** The calls without a key, counted by the address they came from. */
  publicCalls: AddressCount
  /** The log-ins and sign-ups by the API, counted by the address they came from. */
  entryCalls: AddressCount
  rateLimit: RateLimit
  /** What strangers try: log-ins, sign-ups, letters. */
  attempts: Attempts
  base: BaseAtiva
  /** The rejection catalogue. */
  rejeicoes: CatalogoAberto
  cache: Cache
  /** The XML of notes that were delivered. */
  xmls: NfeCache
  /** What is kept about persons. */
  sealed: SealedCache
  /** The operator's session with SIGEF. */
  sessoes: Sessoes
  /** The certificates that an authority has taken for genuine. */
  reconhecidos: Reconhecidos
  /** The turns of the sources that all nodes ask as one. */
  turnos: Turnos
  /** The queries by key that the national environment allows each holder. */
  consumo: Consumo
  /** The calls that their clients may repeat. */
  idempotencia: Idempotencia
  /** The federal certificates, and how far their issuances are. */
  certidoes: Certidoes
  /** Which routes to the federal certificate are believed. */
  confianca: Confianca
  /** Counts of the answers and failures of each source. */
  leituras: Leituras
  /** What the monitor of the SEFAZ keeps. */
  sefaz: Sefaz
  /** The logins of the accounts: sessions of the dashboard, and tokens. */
  acessos: Acessos
  /** The networks that the owners of the accounts came from. */
  redes: Redes
  /** The outcome of each call of an account. */
  usos: Usos
  /** Work that is done even if this process dies. */
  jobs: Jobs
}

type Opened = { store: Store; close: () => Promise<void> }

/**
 * Opens the store over the books of a server; `close` leaves the books open. Throws StartError if the CNPJ
 * base is damaged.
 */
export function openStore(
  config: Config,
  { secret, db, ledger }: Books,
  { now, log }: { now: () => Date; log: Logger },
): Opened {
  const ambiente = ambienteOf(config)
  const base = openBase(config)
  const cache = openCache(db, { now, log, fonte: ambiente })
  const leituras = openLeituras(db, { no: randomUUID(), now, ambiente, log })
  const usos = openUsos(db, { now, log })
  const jobs = openJobs(db, { now })
  const store: Store = {
    secret,
    db,
    ledger,
    keys: openKeyCache(db, { now }),
    logins: openLoginCache(db, { now }),
    refusedKeys: openAddressCount({ limit: REFUSED_KEYS, now }),
    publicCalls: openAddressCount({ limit: PUBLIC_CALLS, now }),
    entryCalls: openAddressCount({ limit: PUBLIC_CALLS, now }),
    rateLimit: openRateLimit(db, now),
    attempts: openAttempts(db, { now, secret }),
    base,
    rejeicoes: openCatalogo({ arquivo: config.REJEICOES_FILE, now, log }),
    cache,
    xmls: openNfeCache(cache, secret),
    sealed: openSealedCache(cache, secret),
    sessoes: openSessoes(db, { secret, now, simulador: config.AUTHORITIES !== 'live' }),
    reconhecidos: openReconhecidos(cache),
    turnos: openTurnos(db, { ambiente }),
    consumo: openConsumo(db, { now, ambiente, secret }),
    idempotencia: openIdempotencia(db, { now, ambiente, secret }),
    certidoes: openCertidoes(db, { now, ambiente, secret }),
    confianca: openConfianca(db, { now, ambiente, secret }),
    leituras,
    sefaz: openSefaz(db, { now, ambiente, everyMs: config.SEFAZ_SECONDS * 1_000 }),
    acessos: openAcessos(db, { now }),
    redes: openRedes(db, { now, secret }),
    usos,
    jobs,
  }
  const close = () => closeInTurn([base.close, cache.close, leituras.close, usos.close, jobs.close])
  return { store, close }
}

function openBase(config: Config): BaseAtiva {
  try {
    return openBaseAtiva(join(config.DATA_DIR, 'cnpj'), { mascararCpf: config.CNPJ_MASK_CPF })
  } catch (error) {
    const reason = messageOf(error)
    throw new StartError(
      `A base CNPJ ativa não pôde ser aberta: ${reason}\nEscolha outra versão ("npm run fiscal -- cnpj versoes", "cnpj ativar") ou importe de novo ("cnpj importar").`,
      { cause: error },
    )
  }
}
