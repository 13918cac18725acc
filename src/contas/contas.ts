import type { Correio } from '../platform/correio.ts'
import { type AddressCount, openAddressCount, openRateLimit, type RateLimit } from '../platform/limits.ts'
import type { Platform } from '../platform/platform.ts'
import { type Acessos, openAcessos, openRedes, type Redes } from './store-acessos.ts'
import { type KeyCache, openKeyCache, openLoginCache } from './store-chaves.ts'
import { type ConsultasGuardadas, openGuardadas } from './store-guardadas.ts'
import { type Attempts, openAttempts } from './store-tentativas.ts'
import { openUsos, type Usos } from './store-usos.ts'

/** An address may send this many refused keys a minute. The rest is turned away unread. */
const REFUSED_KEYS = 60

export type ContasRoom = Platform & {
  keys: KeyCache
  /** The accounts of the logins whose tokens were sent, by the login's id. */
  logins: KeyCache
  /** The API keys and the tokens that were refused, counted by the address they came from. */
  refusedKeys: AddressCount
  rateLimit: RateLimit
  attempts: Attempts
  acessos: Acessos
  redes: Redes
  guardadas: ConsultasGuardadas
  usos: Usos
  /** The operator's mail server. Undefined without SMTP_URL. */
  correio: Correio | undefined
}

export function openContas(
  platform: Platform,
  correio: Correio | undefined,
): { contas: ContasRoom; close: () => Promise<void> } {
  const { db, now, secret, log } = platform
  const usos = openUsos(db, { now, log })
  const contas: ContasRoom = {
    ...platform,
    keys: openKeyCache(db, { now }),
    logins: openLoginCache(db, { now }),
    refusedKeys: openAddressCount({ limit: REFUSED_KEYS, now }),
    rateLimit: openRateLimit(db, now),
    attempts: openAttempts(db, { now, secret }),
    acessos: openAcessos(db, { now }),
    redes: openRedes(db, { now, secret }),
    guardadas: openGuardadas(db, { now, secret }),
    usos,
    correio,
  }
  return { contas, close: usos.close }
}
