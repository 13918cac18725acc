import type { CodigoDaFalha } from './codigo.ts'

/**
 * Why an authority gave no answer: it refused (`http`), it could not be reached (`network`), its answer is
 * not understood (`parse`), it took too long (`timeout`), or it turned us away (`blocked`).
 */
export type SourceErrorKind = 'http' | 'network' | 'parse' | 'timeout' | 'blocked'

type Details = {
  source: string
  elapsedMs: number
  status?: number | undefined
  /** Set if the kind and the status do not tell it. */
  unavailable?: boolean
  codigo?: CodigoDaFalha | undefined
  dizeres?: string
  cause?: unknown
}

/** A failure of an authority, never of the client. The message is Portuguese and says what to do. */
export class SourceError extends Error {
  override readonly name = 'SourceError'
  readonly kind: SourceErrorKind
  /** The source's id, as in the configuration and the log: `receita-federal`. */
  readonly source: string
  /** Milliseconds from the first byte sent to the failure. */
  readonly elapsedMs: number
  /** The HTTP status, if the authority gave one. */
  readonly status: number | undefined
  /** The authority's own code (`cStat 656`), or ours. */
  readonly codigo: CodigoDaFalha | undefined
  /**
   * Whether the source as a whole is out of reach, for any question. Otherwise it answered, but not as it
   * should.
   */
  readonly unavailable: boolean
  /** The words may name the taxpayer. The field is private, so that no log prints it with the error. */
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

  /** The authority's own words, for `status_raw`. Empty if it said none. */
  get dizeres(): string {
    return this.#dizeres
  }
}

/**
 * HTTP 429 and 5xx mean that the source is out of reach. Any other refusal means that it misunderstood us.
 */
const isOutage = (kind: SourceErrorKind, status: number): boolean =>
  kind === 'http' ? status === 429 || status >= 500 : kind !== 'parse'
