import { codeOf } from '../../domain/fonte/error-code.ts'
import type { Source } from '../../domain/fonte/source.ts'
import { SourceError, type SourceErrorKind } from '../../domain/fonte/source-error.ts'
import { isUnmade } from './dial.ts'

/** The reason of a signal that a deadline aborted. */
export class DeadlineError extends Error {
  override name = 'DeadlineError'
}

/** A failure of the connection itself: nothing says that the authority read the request. */
const CONNECTION = new Set(['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'EAI_AGAIN', 'UND_ERR_SOCKET'])

/** Whether `error` is a connection that failed, after which a request that changes nothing may be sent again. */
export const isConnectionFailure = (error: unknown): boolean => CONNECTION.has(codeOf(error))

/** Nobody was there, or not who was meant: no word on what was asked, nor on the certificate that asks. */
const UNREACHED =
  /^(?:ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|UND_ERR_CONNECT_TIMEOUT|CERT_|UNABLE_TO_|DEPTH_ZERO_|SELF_SIGNED_|ERR_TLS_CERT_)/

/** Whether not a byte of the request left: its connection was never made, be it that the authority ended it. */
export const isUnsent = (error: unknown): boolean => error instanceof SourceError && isUnmade(error.cause)

/** Whether the authority was out of reach, and so cannot have turned the caller's certificate away. */
export const isUnreached = (error: unknown): boolean =>
  error instanceof SourceError && UNREACHED.test(codeOf(error.cause))

/** Any failure on the wire as a SourceError. The texts name the authority, never what was asked of it. */
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
  network: 'não atendeu à conexão, ou a derrubou no meio da resposta. Tente de novo em alguns minutos.',
  timeout: 'não respondeu a tempo. Tente de novo em alguns minutos.',
  parse: 'enviou uma resposta que não segue o protocolo HTTP.',
}

function kindOf(error: unknown): SourceErrorKind & keyof typeof words {
  if (error instanceof DeadlineError || /TIMEOUT|TIMEDOUT/.test(codeOf(error))) return 'timeout'
  // It has no code (undici 8.12).
  return error instanceof Error && error.name === 'HTTPParserError' ? 'parse' : 'network'
}
