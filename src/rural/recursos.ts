import type { SealedCache } from '../platform/cache/sealed.ts'
import type { Jobs } from '../platform/jobs/jobs.ts'
import type { Turnos } from '../platform/jobs/lease.ts'
import type { Guard } from '../platform/wire/guard.ts'
import type { Http } from '../platform/wire/http.ts'
import type { Sessoes } from './store.ts'

/** What the lookup of parcels needs of the service. The Context has all of it. */
export type RecursosSigef = {
  now: () => Date
  config: {
    SIGEF: 'ligado' | 'desligado'
    /** Seconds that a call waits for the search. */
    SIGEF_SECONDS: number
    /** Whether INCRA's open map is asked for the day of certification. */
    SIGEF_WFS: boolean
  }
  log: { info: Line; warn: Line }
  store: { secret: string; sealed: SealedCache; sessoes: Sessoes; turnos: Turnos; jobs: Jobs }
  sources: {
    http: Http
    guard: Guard
    /** The cookies that the simulator takes for a session; undefined in live mode. */
    sigef: { cookies: string } | undefined
  }
}

type Line = (fields: object, message: string) => void

/** The run that questions belong to. */
export type Andante = {
  request_id: string
  signal?: AbortSignal | undefined
  /** Runs one question at a time of the few that this node may have under way. */
  emVaga: <T>(ask: () => Promise<T>) => Promise<T>
}
