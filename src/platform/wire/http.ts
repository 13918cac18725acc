import type { CookieJar } from 'tough-cookie'
import type { Dispatcher } from 'undici'
import type { ClientCertificate } from './dial.ts'
import type { Tempos } from './medida.ts'
import type { Source } from './source.ts'

/** One exchange with an authority: the request and its limits. */
export type Ask = {
  source: Source
  method: 'GET' | 'POST' | 'PROPFIND'
  url: string
  headers?: Record<string, string>
  body?: string | Buffer
  /** Milliseconds for everything: connecting, TLS, headers, body, redirects. */
  deadlineMs: number
  signal?: AbortSignal | undefined
  /**
   * Whether asking twice changes nothing there. Then a request is sent once more if its connection failed.
   */
  repeatable: boolean
  certificate?: ClientCertificate | undefined
  /** The charset of the source, if its headers are not to be believed. */
  charset?: string
  /** The cookies of a session. Without a jar none are kept. */
  jar?: CookieJar
  /** How many redirects to follow. By default 0: the redirect is the answer. */
  redirects?: number
  /** Whether a redirect may lead to an address; to any if left out. */
  within?: (url: URL) => boolean
  /** The largest body that is read, in bytes; 2 MiB by default. */
  maxBytes?: number
}

/** The answer of an authority, whatever its HTTP status. */
export type Reply = {
  status: number
  headers: Dispatcher.ResponseData['headers']
  /** The address that answered, after redirects. */
  url: string
  body: Buffer
  /** The body in its charset. Throws SourceError `parse` if it does not fit. */
  text: () => string
  elapsedMs: number
  /** Of the last hop. Undefined where the door has no clock. */
  tempos?: Tempos
}

/**
 * The only door out. Every failure is a SourceError; an aborted exchange fails with the reason of `signal`.
 */
export type Http = {
  /** Sends and reads the whole answer. */
  send: (ask: Ask) => Promise<Reply>
  /**
   * Sends and gives the body as a stream, whose own failures stay as they are. `deadlineMs` is the longest
   * silence.
   */
  open: (ask: Ask) => Promise<Dispatcher.ResponseData>
  /** Breaks off all exchanges. The door then keeps no certificate and no session. */
  close: () => Promise<void>
}
