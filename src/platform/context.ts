import { type Logger, pino } from 'pino'
import { type Divergencias, openDivergencias } from '../rejeicoes/catalogo-aberto.ts'
import type { Authorities } from './authorities.ts'
import { openBooks } from './books.ts'
import type { Config } from './config/settings.ts'
import { correioDe } from './correio.ts'
import { openSources, type Sources } from './sources.ts'
import { closeInTurn } from './start.ts'
import { openStore, type Store } from './stores.ts'
import type { Clock } from './wire/dial.ts'
import type { Leitura } from './wire/leitura.ts'

/** What a request, a job or a command may use. The process makes it once, when it starts. */
export type Context = {
  config: Config
  log: Logger
  now: () => Date
  store: Store
  sources: Sources
  divergencias: Divergencias
  /** Whether the process was told to stop: `/ready` says so, and a proxy takes another node. */
  isClosing: boolean
}

/** The log: one JSON line an event, on standard output. */
export const createLog = ({ LOG_LEVEL }: Config): Logger =>
  pino({ level: LOG_LEVEL, base: null, timestamp: pino.stdTimeFunctions.isoTime })

type Opening = {
  now: () => Date
  clock: Clock
  log: Logger
  opening: Promise<Authorities>
  /** Takes the reading of each query to a source, besides the store. */
  onCall?: ((leitura: Leitura) => void) | undefined
}

/**
 * Opens everything that the settings name; `close` closes it in the opposite order. Throws StartError or
 * StoreError for what the operator can mend.
 */
export async function createContext(
  config: Config,
  { now, clock, log, opening, onCall }: Opening,
): Promise<{ ctx: Context; authorities: Authorities; close: () => Promise<void> }> {
  // Settings that do not go together are told before anything is open.
  const correio = correioDe(config)
  const books = await openBooks(config, now, true)
  try {
    // First what may fail late: the store opens the CNPJ base, which would stay open.
    const authorities = await opening
    const { store, close: closeStore } = openStore(config, books, { now, log })
    const { sources, close: closeSources } = openSources(config, authorities, {
      now,
      clock,
      log,
      correio,
      onCall: (leitura) => {
        store.leituras.note(leitura)
        onCall?.(leitura)
      },
    })
    const close = () => closeInTurn([closeSources, closeStore, books.close, authorities.close])
    const divergencias = openDivergencias(log)
    return { ctx: { config, log, now, store, sources, divergencias, isClosing: false }, authorities, close }
  } catch (error) {
    await books.close()
    throw error
  }
}
