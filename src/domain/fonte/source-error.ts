import type { CodigoDaFalha } from './codigo.ts'

/**
 * Why an authority gave no answer: it said no (`http`), it could not be reached or broke off (`network`), it said what we
 * do not understand (`parse`), it took too long (`timeout`), it turned us away (`blocked`).
 */
export type SourceErrorKind = 'http' | 'network' | 'parse' | 'timeout' | 'blocked'

type Details = {
  source: string
  elapsedMs: number
  status?: number | undefined
  /** Set where the kind and the status do not tell. */
  unavailable?: boolean
  codigo?: CodigoDaFalha | undefined
  dizeres?: string
  cause?: unknown
}

/** A failure of an authority, never of who asked. The message is Portuguese and says what to do about it. */
export class SourceError extends Error {
  override readonly name = 'SourceError'
  readonly kind: SourceErrorKind
  /** The authority's name as the configuration and the logs have it, `receita-federal`. */
  readonly source: string
  /** From the first byte sent to the failure, in milliseconds. */
  readonly elapsedMs: number
  /** The HTTP status, where the authority gave one. */
  readonly status: number | undefined
  /** The authority's own code (`cStat 656`), or ours for a query that was not sent; for the log. */
  readonly codigo: CodigoDaFalha | undefined
  /** Whether the source as a whole is out of reach, for whatever is asked; otherwise it answered, and not as it should. */
  readonly unavailable: boolean
  /** Private, so that no log that prints an error prints it: it may name the taxpayer. */
  readonly #dizeres: string

  constructor(kind: SourceErrorKind, message: string, details: Details) {
    super(message, { cause: details.cause })
    this.kind = kind
    this.source = details.source
    this.elapsedMs = details.elapsedMs
    this.status = details.status
    this.codigo = details.codigo
    this.unavailable = details.unavailable ?? isOutage(kind, details.status ?? 0)
    this.#dizeres = details.dizeres ?? ''
  }

  /** The authority's own words as they came, for `status_raw`; empty where it said none. */
  get dizeres(): string {
    return this.#dizeres
  }
}

/** HTTP 429 and 5xx say that the source is out of reach now; another refusal says that it understood us otherwise. */
const isOutage = (kind: SourceErrorKind, status: number): boolean =>
  kind === 'http' ? status === 429 || status >= 500 : kind !== 'parse'
