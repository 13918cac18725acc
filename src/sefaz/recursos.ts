import type { Db } from '../platform/db/db.ts'
import type { Turnos } from '../platform/jobs/lease.ts'
import type { ClientCertificate } from '../platform/wire/dial.ts'
import type { Ambiente } from '../platform/wire/fonte.ts'
import type { Http } from '../platform/wire/http.ts'
import type { Sefaz } from './store.ts'

type Tell = (fields: object, message: string) => void

/** What a round of the monitor needs of the service. The Context has all of it. */
export type RecursosDaRodada = {
  config: {
    SEFAZ_AMBIENTE: 'producao' | 'homologacao'
    /** Seconds from one round to the next. */
    SEFAZ_SECONDS: number
  }
  log: { debug: Tell; info: Tell; warn: Tell }
  now: () => Date
  store: { db: Db; sefaz: Sefaz; turnos: Turnos }
  sources: {
    ambiente: Ambiente
    /** The door to the public pages. */
    http: Http
    /** The door that measures, for the status services. */
    status: Http
    /** The operator's own. Without one in force the public pages are read. */
    certificado: (ClientCertificate & { fim: Date }) | undefined
  }
}
