import type { CookieJar } from 'tough-cookie'
import type { Dispatcher } from 'undici'
import type { Source } from '../../domain/fonte/source.ts'
import type { ClientCertificate } from './dial.ts'

/** One exchange with an authority: what to send, and within which limits. */
export type Ask = {
  source: Source
  method: 'GET' | 'POST' | 'PROPFIND'
  url: string
  headers?: Record<string, string>
  body?: string | Buffer
  /** Milliseconds for everything: connecting, TLS, headers, body, redirects. */
  deadlineMs: number
  signal?: AbortSignal | undefined
  /** True when asking twice changes nothing there: then it is sent once more after a connection that failed on the way. */
  repeatable: boolean
  certificate?: ClientCertificate | undefined
  /** The source's own word on its charset, over what its headers say. */
  charset?: string
  /** The cookies of a session; without it none are kept. */
  jar?: CookieJar
  /** How many redirects to follow; 0 by default: the redirect is the answer. */
  redirects?: number
  /** Where redirects may lead; anywhere when left out. */
  within?: (url: URL) => boolean
  /** Largest body that is read, in bytes; 2 MiB by default. */
  maxBytes?: number
}

/** What an authority answered, whatever its HTTP status. */
export type Reply = {
  status: number
  headers: Dispatcher.ResponseData['headers']
  /** The address that answered, after redirects. */
  url: string
  body: Buffer
  /** The body in its charset. Throws SourceError `parse` when it does not fit. */
  text: () => string
  elapsedMs: number
}

/** The only door out. Every failure is a SourceError; what `signal` aborts fails with the signal's reason. */
export type Http = {
  /** Sends and reads the whole answer. */
  send: (ask: Ask) => Promise<Reply>
  /** Sends and hands the body over as it comes, with the failures of reading it as they are; `deadlineMs` is then the longest silence. */
  open: (ask: Ask) => Promise<Dispatcher.ResponseData>
  /** Breaks off what is under way; the door then keeps no certificate and no session. */
  close: () => Promise<void>
}
