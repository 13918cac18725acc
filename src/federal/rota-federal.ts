import type { Source } from '../platform/wire/fonte.ts'
import type { Guard } from '../platform/wire/guard.ts'
import type { Http } from '../platform/wire/http.ts'
import type { CaptchaSolver } from '../portal/captcha.ts'
import type { CertidaoFederal, RecusaFederal } from './certidao.ts'

/** The ways to ask for the federal certificate, as CND_FEDERAL_ROTAS names them. */
export type RotaId = 'contrato' | 'portal'

/**
 * A question for the federal certificate of a CNPJ. With `sempre` a new one is issued; with `se-preciso` only
 * where none is valid for more than three days.
 */
export type PerguntaFederal = { cnpj: string; emitir: 'se-preciso' | 'sempre' }

/** What a later run needs to go on with an issuance that began. It is sealed where it is stored. */
export type AndamentoFederal = {
  rota: RotaId
  /** When it began, in ISO 8601. */
  desde: string
  /** Set if the authority was heard to work on it: the gateway's key of the request, the portal's status. */
  chave?: string
  /**
   * The portal's session. Empty if it is over while the issuance may still be at work; left out if nothing is
   * at work any more.
   */
  cookies?: string
  /** Until when the authority wants no further question (its `Retry-After`), ISO 8601. */
  esperarAte?: string
}

/** The means of one attempt. */
export type MeiosFederais = {
  http: Http
  guard: Guard
  captcha: CaptchaSolver
  now: () => Date
  request_id: string
  /** Milliseconds for the whole attempt. */
  deadlineMs: number
  signal: AbortSignal
  /** The factor of the pauses between two polls. */
  pace: number
  /** What an earlier attempt noted, of any route. */
  andamento: AndamentoFederal | undefined
  /** Writes down that an issuance began or goes on, before the next request leaves. */
  anotar: (andamento: AndamentoFederal) => Promise<void>
}

/** The answer of a route. `emitida` says that the certificate was issued now, and not found. */
export type RespostaFederal =
  | { tipo: 'certidao'; certidao: CertidaoFederal; emitida: boolean }
  | { tipo: 'recusa'; recusa: RecusaFederal }

/** A way to ask for the federal certificate. */
export type RotaFederal = {
  id: RotaId
  source: Source
  /** Whether it can issue one while another is valid. */
  emiteNova: boolean
  /**
   * Asks within the deadline. Throws RotaNaoAtende, or SourceError: with code `em-processamento` the
   * authority still works, and a later attempt goes on with what was noted.
   */
  consultar: (pergunta: PerguntaFederal, meios: MeiosFederais) => Promise<RespostaFederal>
}

/** A route of the operator's list. `falta` says in Portuguese why it cannot be asked; empty if it can. */
export type RotaOferecida = RotaFederal & { falta: string }
