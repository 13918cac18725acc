import { hash } from 'node:crypto'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

/** Whether a client prefers a stream of events to JSON. */
export const prefersEventStream = (accept: string | undefined): boolean =>
  prefers(accept, 'text/event-stream', 'application/json')

/** Whether a client prefers a page to JSON, as a browser does where somebody has opened an address. */
export const prefersPage = (accept: string | undefined): boolean =>
  prefers(accept, 'text/html', 'application/json')

/** Whether a client prefers Markdown to a page. */
export const prefersMarkdown = (accept: string | undefined): boolean =>
  prefers(accept, 'text/markdown', 'text/html')

/**
 * Whether a client prefers a type to the usual one. The most exact range for a type counts (RFC 9110,
 * 12.5.1); at equal weight the type wins if it is named and the usual one is not.
 */
function prefers(accept: string | undefined, type: string, usual: string): boolean {
  // What nearly every client sends.
  if (accept === undefined || accept === '*/*') return false
  const ranges = accept.split(',').map(parseRange)
  const [asked, other] = [findRange(ranges, type), findRange(ranges, usual)]
  return asked.q > other.q || (asked.q > 0 && asked.q === other.q && asked.exact && !other.exact)
}

type Range = { type: string; q: number }

function parseRange(text: string): Range {
  const [type = '', ...parameters] = text.split(';').map((part) => part.trim().toLowerCase())
  const weight = parameters.find((parameter) => parameter.startsWith('q='))
  const q = weight === undefined ? 1 : Number(weight.slice(2))
  return { type, q: q >= 0 && q <= 1 ? q : 0 }
}

function findRange(ranges: readonly Range[], type: string): { q: number; exact: boolean } {
  const family = `${type.split('/')[0]}/*`
  for (const name of [type, family, '*/*']) {
    const range = ranges.find((candidate) => candidate.type === name)
    if (range) return { q: range.q, exact: name === type }
  }
  return { q: 0, exact: false }
}

/** A body as it goes out, plain or in gzip. Each form of a body has its own tag, in quotes. */
type Form = { bytes: Buffer | string; etag: string; isZipped: boolean }

/** A body that many answers share, in its forms. */
export type Prepared<T extends Buffer | string = Buffer | string> = {
  body: T
  etag: string
  plain: Form
  /** Made when the first client wants it. */
  zipped: () => Form | Promise<Form>
}

const compress = promisify(gzip)

/** Prepares a body, each form with its ETag (RFC 9110, 8.8.3). */
export function prepare<T extends Buffer | string>(body: T): Prepared<T> {
  const digest = digestOf(body)
  const etag = `"${digest}"`
  let zipped: Form | Promise<Form> | undefined
  const zip = async (): Promise<Form> => {
    zipped = { bytes: await compress(body), etag: `"${digest}-gzip"`, isZipped: true }
    return zipped
  }
  return { body, etag, plain: { bytes: body, etag, isZipped: false }, zipped: () => (zipped ??= zip()) }
}

/** The tag of a body (RFC 9110, 8.8.3), without its quotes: a form of it adds its coding. */
const digestOf = (bytes: Buffer | string): string => hash('sha256', bytes, 'base64url').slice(0, 22)

/** Whether an `Accept-Encoding` names gzip, without a weight of nothing. */
const takesGzip = (accepted = ''): boolean =>
  accepted !== '' &&
  accepted
    .toLowerCase()
    .split(',')
    .some((coding) => /^\s*(gzip|\*)\s*(;|$)/.test(coding) && !/;\s*q=0(\.0*)?\s*$/.test(coding))

/** Whether an `If-None-Match` names this form. Weak and strong tags compare alike here (RFC 9110, 13.1.2). */
const matches = (sent = '', etag: string): boolean =>
  sent !== '' &&
  sent
    .split(',')
    .map((tag) => tag.trim().replace(/^W\//, ''))
    .some((tag) => tag === '*' || tag === etag)

/** How an answer is sent. */
type Sending = {
  /** The media type, without its charset, which is UTF-8. */
  type: string
  headers?: Readonly<Record<string, string>>
  /** What of a request the answer depends on. */
  vary?: string | undefined
}

/** Answers with the form that the client takes, or says that its copy is still good. */
export function sendReady(
  request: FastifyRequest,
  reply: FastifyReply,
  made: Prepared,
  sending: Sending,
): FastifyReply | Promise<FastifyReply> {
  const form = takesGzip(request.headers['accept-encoding']) ? made.zipped() : made.plain
  const send = (ready: Form): FastifyReply => sendForm(request, reply, ready, sending)
  return form instanceof Promise ? form.then(send) : send(form)
}

function sendForm(
  request: FastifyRequest,
  reply: FastifyReply,
  { bytes, etag, isZipped }: Form,
  { type, headers = {}, vary = 'accept-encoding' }: Sending,
): FastifyReply {
  reply.headers(headers)
  reply.header('etag', etag)
  reply.header('vary', vary)
  if (matches(request.headers['if-none-match'], etag)) return reply.code(304).send()
  if (isZipped) reply.header('content-encoding', 'gzip')
  reply.header('content-type', `${type}; charset=utf-8`)
  return reply.send(bytes)
}

type StaticBody = Omit<Sending, 'vary'> & {
  /** Makes the body, once; anew for the next request if it says that this one is good for now alone. */
  make: (forNow: () => void) => string | Buffer | Promise<string | Buffer>
}

/** Routes whose bodies have their gzip form already. */
export const READY = { schema: { hide: true }, exposeHeadRoute: true, compress: false } as const

/** Serves a body that never changes while the process lives. It is made at the first request. */
export function serveStatic(
  app: FastifyInstance,
  url: string,
  { type, headers = {}, make }: StaticBody,
): void {
  let forms: Promise<Prepared> | undefined
  const forget = (): void => {
    forms = undefined
  }
  const makeOnce = async (): Promise<Prepared> => {
    let isForNow = false
    const made = await make(() => {
      isForNow = true
    })
    if (isForNow) forget()
    return prepare(made)
  }
  app.get(url, READY, async (request, reply) => {
    forms ??= makeOnce()
    // A failure is not kept: the next request tries again.
    const made = await forms.catch((error) => {
      forget()
      throw error
    })
    return sendReady(request, reply, made, { type, headers })
  })
}
