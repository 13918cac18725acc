import type { CookieJar } from 'tough-cookie'
import type { Dispatcher } from 'undici'
import type { ClientCertificate, Tempos } from './dial.ts'
import { codeOf, isUnmade, type Source, SourceError, type SourceErrorKind } from './fonte.ts'

export type Ask = {
  source: Source
  method: 'GET' | 'POST' | 'PROPFIND'
  url: string
  headers?: Record<string, string>
  body?: string | Buffer
  /** Milliseconds for everything: connecting, TLS, headers, body, redirects. */
  deadlineMs: number
  signal?: AbortSignal | undefined
  /** If asking twice changes nothing there: sent once more where the connection failed. */
  repeatable: boolean
  certificate?: ClientCertificate | undefined
  charset?: string
  jar?: CookieJar
  /** How many redirects to follow. By default 0: the redirect is the answer. */
  redirects?: number
  within?: (url: URL) => boolean
  maxBytes?: number
}

export type Reply = {
  status: number
  headers: Dispatcher.ResponseData['headers']
  url: string
  body: Buffer
  /** The body in its charset. Throws SourceError `parse` if it does not fit. */
  text: () => string
  elapsedMs: number
  tempos?: Tempos
}

/** The only door out. Every failure is a SourceError, or the reason of `signal`. */
export type Http = {
  send: (ask: Ask) => Promise<Reply>
  /** The stream's own failures stay as they are. `deadlineMs` is the longest silence. */
  open: (ask: Ask) => Promise<Dispatcher.ResponseData>
  /** Breaks off all exchanges. The door then keeps no certificate and no session. */
  close: () => Promise<void>
}

export class DeadlineError extends Error {
  override name = 'DeadlineError'
}

/** Failures of the connection itself. The authority may not have read the request. */
const CONNECTION = new Set(['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'EAI_AGAIN', 'UND_ERR_SOCKET'])

export const isConnectionFailure = (error: unknown): boolean => CONNECTION.has(codeOf(error))

/** Before the authority was reached: they say nothing of the question or the certificate. */
const UNREACHED =
  /^(?:ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|UND_ERR_CONNECT_TIMEOUT|CERT_|UNABLE_TO_|DEPTH_ZERO_|SELF_SIGNED_|ERR_TLS_CERT_)/

/** Not a byte of the request left. The authority itself may have ended the connection. */
export const isUnsent = (error: unknown): boolean => error instanceof SourceError && isUnmade(error.cause)

/** Whether the authority was out of reach. Then it cannot have refused the client's certificate. */
export const isUnreached = (error: unknown): boolean =>
  error instanceof SourceError && UNREACHED.test(codeOf(error.cause))

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

const HOUR_S = 60 * 60

/** Come back later: 201 and 202 are answers of Consulta CND that is still at work. */
const LATER = new Set([201, 202, 429, 503])

/** From one second to an hour. A date is ignored, because it goes by the authority's clock. */
export function retryAfterOf({ status, headers }: Pick<Reply, 'status' | 'headers'>): number | undefined {
  const said = String(headers['retry-after'] ?? '').trim()
  if (!LATER.has(status) || !/^\d{1,9}$/.test(said)) return undefined
  return Math.min(Math.max(1, Number(said)), HOUR_S)
}

/** Rejects as soon as the signal is aborted. The promise then goes on unheard. */
export async function untilAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  const aborted = Promise.withResolvers<never>()
  const abort = (): void => aborted.reject(signal.reason)
  signal.addEventListener('abort', abort, { once: true })
  if (signal.aborted) abort()
  try {
    return await Promise.race([promise, aborted.promise])
  } finally {
    signal.removeEventListener('abort', abort)
  }
}
