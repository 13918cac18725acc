import type { EstadosRoom } from '../estados/estados.ts'
import type { Clock } from '../platform/wire/dial.ts'
import type { Http } from '../platform/wire/http.ts'
import { openTransport } from '../platform/wire/transport.ts'
import { openSefazStore, type SefazStore } from './store.ts'

export type SefazRoom = EstadosRoom & {
  monitor: SefazStore
  /** It measures, and its connections last from one round of the monitor to the next. */
  status: Http
}

/** A round waits up to 30 s for an answer, and each begins when its turn comes: connections last longer. */
const SLACK_MS = 60_000

/** Opens the room; `clock` measures how long the authorities take, in milliseconds. */
export function openSefaz(
  estados: EstadosRoom,
  clock: Clock,
): { sefaz: SefazRoom; close: () => Promise<void> } {
  const { db, dial, now, ambiente, config } = estados
  const everyMs = config.SEFAZ_SECONDS * 1_000
  const status = openTransport(dial, { clock, idleMs: everyMs + SLACK_MS })
  const monitor = openSefazStore(db, { now, ambiente, everyMs })
  return { sefaz: { ...estados, monitor, status }, close: status.close }
}
