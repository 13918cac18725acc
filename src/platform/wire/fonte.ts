import type { CodigoDaFalha } from './codigo.ts'
import { BLOCKED_S, OUTAGE_S, type RetryS } from './repetir.ts'

/**
 * Why an authority gave no answer: it refused (`http`), it could not be reached (`network`), its answer is
 * not understood (`parse`), it took too long (`timeout`), or it turned us away (`blocked`).
 */
export const sourceErrorKinds = ['http', 'network', 'parse', 'timeout', 'blocked'] as const

export type SourceErrorKind = (typeof sourceErrorKinds)[number]

type Details = {
  source: string
  elapsedMs: number
  status?: number | undefined
  /** Set if the kind and the status do not tell it. */
  unavailable?: boolean
  codigo?: CodigoDaFalha | undefined
  /** Set if kind, code and status do not tell it. */
  retryS?: RetryS | undefined
  dizeres?: string
  cause?: unknown
}

/**
 * A failure of an authority, never of the client. The message is Portuguese and says what happened;
 * `quandoRepetir(retryS)` says when to ask again.
 */
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
  /** Seconds until the same question may be answered. A route that knows its hours mends it. */
  retryS: RetryS
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
    this.retryS = details.retryS === undefined ? retryOf(kind, this) : details.retryS
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

/** Too many queries wait for the source. */
const QUEUE_S = 10

/**
 * The failures whose code tells more than their kind. What pages say in words stands in the table of
 * `desfecho.ts`.
 */
const porCodigo: Readonly<Partial<Record<CodigoDaFalha, RetryS>>> = {
  fila: QUEUE_S,
  'circuito-aberto': OUTAGE_S,
  // MOC 7.0, Anexo I: paused for a moment, and with no end in sight.
  'cStat 108': 5 * 60,
  'cStat 109': BLOCKED_S,
  // The holder of the operator's certificate may not ask.
  'cStat 257': null,
  // The list of revoked certificates could not be read.
  'cStat 286': OUTAGE_S,
  // Used too often: the block lasts up to an hour (MOC 7.0, Anexo I, 4.3).
  'cStat 656': 60 * 60,
  // An error that the authority has not catalogued.
  'cStat 999': OUTAGE_S,
}

type Falha = { codigo?: CodigoDaFalha | undefined; status?: number | undefined; unavailable: boolean }

/**
 * Decides by kind, code and HTTP status whether the same question may be answered later. A source that
 * understood nothing of us, or that we do not understand, answers the same until somebody mends it.
 */
function retryOf(kind: SourceErrorKind, { codigo, status, unavailable }: Falha): RetryS {
  const known = codigo && porCodigo[codigo]
  if (known !== undefined) return known
  if (kind === 'network' || kind === 'timeout') return OUTAGE_S
  if (kind === 'parse' || !unavailable) return null
  return kind === 'http' || status === 429 ? OUTAGE_S : BLOCKED_S
}
