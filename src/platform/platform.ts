import { randomUUID } from 'node:crypto'
import type { Authorities } from './authorities.ts'
import type { Books } from './books.ts'
import { type Cache, openCache } from './cache/cache.ts'
import { openSealedCache, type SealedCache } from './cache/sealed.ts'
import { ambienteOf } from './config/config.ts'
import type { Config } from './config/settings.ts'
import { type Idempotencia, openIdempotencia } from './http/idempotencia.ts'
import { type Jobs, openJobs } from './jobs/jobs.ts'
import { openTurnos, type Turnos } from './jobs/turnos.ts'
import { type AddressCount, openAddressCount } from './limits.ts'
import { closeInTurn, type Log } from './start.ts'
import type { Dial } from './wire/dial.ts'
import type { Ambiente } from './wire/fonte.ts'
import { createGuard, type Guard } from './wire/guard.ts'
import type { Http } from './wire/http.ts'
import { type Leitura, type Leituras, openLeituras } from './wire/leituras.ts'
import { openTransport } from './wire/transport.ts'

/** An address may ask this often a minute without a key (specification, "Limits"). */
const PUBLIC_CALLS = 30

export type Platform = Pick<Books, 'secret' | 'db' | 'ledger'> &
  Pick<Authorities, 'dial' | 'certificado' | 'pace' | 'simulador'> & {
    config: Config
    log: Log
    now: () => Date
    /** Whether the process was told to stop: `/ready` says so, and a proxy takes another node. */
    isClosing: () => boolean
    ambiente: Ambiente
    cache: Cache
    sealed: SealedCache
    turnos: Turnos
    idempotencia: Idempotencia
    jobs: Jobs
    leituras: Leituras
    publicCalls: AddressCount
    entryCalls: AddressCount
    http: Http
    /** The door to the operator's own services, which are dialled at their real address. */
    direct: Http
    guard: Guard
  }

type Opening = {
  books: Pick<Books, 'secret' | 'db' | 'ledger'>
  authorities: Pick<Authorities, 'dial' | 'certificado' | 'pace' | 'simulador'>
  now: () => Date
  log: Log
  isClosing: () => boolean
  onCall?: ((leitura: Leitura) => void) | undefined
}

export function openPlatform(
  config: Config,
  { books, authorities, now, log, isClosing, onCall }: Opening,
): { platform: Platform; close: () => Promise<void> } {
  const { secret, db, ledger } = books
  const { dial, certificado, pace, simulador } = authorities
  const ambiente = ambienteOf(config)
  const cache = openCache(db, { now, log, fonte: ambiente })
  const leituras = openLeituras(db, { no: randomUUID(), now, ambiente, log })
  const jobs = openJobs(db, { now })
  const turnos = openTurnos(db, { ambiente })
  const reserve = db.dialect === 'postgres' ? turnos.reserve : undefined
  const { http, direct, close: closeDoors } = openDoors(dial)
  const noteCall = (leitura: Leitura): void => {
    leituras.note(leitura)
    onCall?.(leitura)
  }
  const platform: Platform = {
    config,
    log,
    now,
    isClosing,
    ambiente,
    secret,
    db,
    ledger,
    dial,
    certificado,
    pace,
    simulador,
    cache,
    sealed: openSealedCache(cache, secret),
    turnos,
    idempotencia: openIdempotencia(db, { now, ambiente, secret }),
    jobs,
    leituras,
    publicCalls: openAddressCount({ limit: PUBLIC_CALLS, now }),
    entryCalls: openAddressCount({ limit: PUBLIC_CALLS, now }),
    http,
    direct,
    guard: createGuard(log, { pace, reserve, now, onCall: noteCall }),
  }
  return { platform, close: () => closeInTurn([closeDoors, cache.close, leituras.close, jobs.close]) }
}

export function openDoors(dial: Dial): { http: Http; direct: Http; close: () => Promise<void> } {
  const http = openTransport(dial)
  const direct = openTransport({ mode: 'live', ca: [], hosts: {} })
  return { http, direct, close: () => closeInTurn([http.close, direct.close]) }
}
