import { type SourceCode, sourceCodes } from '../platform/errors.ts'
import type { RetryS } from '../platform/wire/fonte.ts'
import { SourceError } from '../platform/wire/fonte.ts'
import { SourceStatusError } from '../platform/wire/source-status.ts'

/** The codes that SIGEF's failures have. Specification, "source_status". */
export const codigosDoSigef = [
  'SIGEF_DISABLED',
  'SIGEF_NO_SESSION',
  'SIGEF_HTTP_ERROR',
  'SIGEF_NETWORK_ERROR',
  'SIGEF_PARSE_FAILED',
] as const satisfies SourceCode[]

export type CodigoDoSigef = (typeof codigosDoSigef)[number]

/** A failure of a search, as its job tells it to whoever waits. */
export type FalhaDoSigef = { code: CodigoDoSigef; message: string; retryS: RetryS }

/** The failure that an error means; undefined for an error of our own. */
export function falhaOf(error: unknown): FalhaDoSigef | undefined {
  if (error instanceof SourceStatusError) {
    const code = codigosDoSigef.find((one) => one === error.code)
    return code && { code, message: error.message, retryS: error.retryS }
  }
  if (!(error instanceof SourceError)) return undefined
  const code = codeOf(error)
  return { code, message: error.message, retryS: error.retryS ?? sourceCodes[code].retryS }
}

function codeOf({ kind, codigo }: SourceError): CodigoDoSigef {
  if (kind === 'parse') return 'SIGEF_PARSE_FAILED'
  return isNotSent(codigo) || kind === 'network' || kind === 'timeout'
    ? 'SIGEF_NETWORK_ERROR'
    : 'SIGEF_HTTP_ERROR'
}

/** Held back by our own limits: SIGEF said nothing. */
const isNotSent = (codigo: SourceError['codigo']): boolean =>
  codigo === 'fila' || codigo === 'circuito-aberto'

/** Whether a failure puts the session in doubt: SIGEF turned us away, or was out of order. */
export const isOfSessao = (error: unknown): error is SourceError =>
  error instanceof SourceError && codeOf(error) === 'SIGEF_HTTP_ERROR'
