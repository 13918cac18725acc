import type { CodigoDoCaptcha } from './codigo.ts'
import { OUTAGE_S, type RetryS } from './repetir.ts'

type Details = ErrorOptions & { codigo?: CodigoDoCaptcha; pedeInscricao?: boolean; retryS?: number }

/**
 * This way to ask an authority does not take the question; another way may. It says nothing against the
 * authority, and its Portuguese message says why.
 */
export class RotaNaoAtende extends Error {
  override readonly name = 'RotaNaoAtende'
  /** Set where not the question but an unsolved captcha is to blame: the operator should know. */
  readonly codigo: CodigoDoCaptcha | undefined
  /** The page wants the registration in the place of the document, and it was not known. */
  readonly pedeInscricao: boolean
  /** Seconds until the question may be taken. Null unless a captcha was not solved this once. */
  readonly retryS: RetryS

  constructor(message: string, { codigo, pedeInscricao = false, retryS, ...options }: Details = {}) {
    super(message, options)
    this.codigo = codigo
    this.pedeInscricao = pedeInscricao
    this.retryS = retryS ?? (codigo === undefined || codigo === 'captcha' ? null : OUTAGE_S)
  }
}
