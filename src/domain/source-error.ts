/**
 * Why an authority gave no answer: it said no (`http`), it could not be reached or broke off (`network`), it said what we
 * do not understand (`parse`), it took too long (`timeout`), it turned us away as a robot (`blocked`).
 */
export type SourceErrorKind = 'http' | 'network' | 'parse' | 'timeout' | 'blocked'

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

  constructor(
    kind: SourceErrorKind,
    message: string,
    details: { source: string; elapsedMs: number; status?: number; cause?: unknown },
  ) {
    super(message, { cause: details.cause })
    this.kind = kind
    this.source = details.source
    this.elapsedMs = details.elapsedMs
    this.status = details.status
  }
}
