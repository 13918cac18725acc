import type { CaptchaSolver } from '../../sources/captcha/captcha.ts'
import type { Guard } from '../../sources/guard/guard.ts'
import type { Dial } from '../../sources/transport/dial.ts'
import type { Cache } from '../../store/cache/cache.ts'
import type { NfeCache } from '../../store/cache/nfe-xml.ts'
import type { Reconhecidos } from '../../store/cache/reconhecidos.ts'
import type { Consumo } from '../../store/chamadas/consumo.ts'

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
