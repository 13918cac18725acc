import { isUnmade } from './dial.ts'
import { codeOf } from './error-code.ts'
import { SourceError, type SourceErrorKind } from './fonte.ts'
import type { Source } from './source.ts'

/** The reason of a signal that a deadline aborted. */
export class DeadlineError extends Error {
  override name = 'DeadlineError'
}

/** Failures of the connection itself. The authority may not have read the request. */
const CONNECTION = new Set(['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'EAI_AGAIN', 'UND_ERR_SOCKET'])

/** Whether the connection failed. A request that changes nothing may then be sent again. */
export const isConnectionFailure = (error: unknown): boolean => CONNECTION.has(codeOf(error))

/**
 * Failures before the authority was reached. They say nothing of the question or of the client's certificate.
 */
const UNREACHED =
  /^(?:ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|UND_ERR_CONNECT_TIMEOUT|CERT_|UNABLE_TO_|DEPTH_ZERO_|SELF_SIGNED_|ERR_TLS_CERT_)/

/**
 * Whether the connection was never made, so that not a byte of the request left. The authority itself may
 * have ended it.
 */
export const isUnsent = (error: unknown): boolean => error instanceof SourceError && isUnmade(error.cause)

/** Whether the authority was out of reach. Then it cannot have refused the client's certificate. */
export const isUnreached = (error: unknown): boolean =>
  error instanceof SourceError && UNREACHED.test(codeOf(error.cause))

/** Makes a SourceError of any failure on the wire. The texts name the authority, never the question. */
export function toSourceError(error: unknown, source: Source, elapsedMs: number): SourceError {
  if (error instanceof SourceError) return error
  const kind = kindOf(error)
  return new SourceError(kind, `${source.nome} ${words[kind]}`, {
    source: source.id,
    elapsedMs,
    cause: error,
  })
}

const words: Record<'network' | 'timeout' | 'parse', string> = {
  network: 'não atendeu à conexão, ou a derrubou no meio da resposta.',
  timeout: 'não respondeu a tempo.',
  parse: 'enviou uma resposta que não segue o protocolo HTTP.',
}

function kindOf(error: unknown): SourceErrorKind & keyof typeof words {
  if (error instanceof DeadlineError || /TIMEOUT|TIMEDOUT/.test(codeOf(error))) return 'timeout'
  // This error of undici (8.12) has no code.
  return error instanceof Error && error.name === 'HTTPParserError' ? 'parse' : 'network'
}
