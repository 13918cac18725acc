import type { Cache } from '../platform/cache/cache.ts'
import type { Dial } from '../platform/wire/dial.ts'
import type { Guard } from '../platform/wire/guard.ts'
import type { CaptchaSolver } from '../portal/captcha.ts'
import type { NfeCache } from './nfe-xml.ts'
import type { Reconhecidos } from './reconhecidos.ts'
import type { Consumo } from './store.ts'

/** What the search for a note needs of the service. The Context has all of it. */
export type RecursosDaNota = {
  now: () => Date
  log: {
    info: (fields: object, message: string) => void
    error: (fields: object, message: string) => void
  }
  config: {
    SEFAZ_AMBIENTE: 'producao' | 'homologacao'
    /** The days after the note's issue in which the authority takes each event. */
    NFE_CIENCIA_DIAS: number
    NFE_CONFIRMACAO_DIAS: number
  }
  store: { cache: Cache; xmls: NfeCache; reconhecidos: Reconhecidos; consumo: Consumo }
  sources: {
    dial: Dial
    guard: Guard
    captcha: CaptchaSolver
    /** The factor of the sources' pace. */
    pace: number
  }
}
