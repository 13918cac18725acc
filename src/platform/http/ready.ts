import { hash } from 'node:crypto'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { LRUCache } from 'lru-cache'
import { ApiError } from '../errors.ts'
import type { Saldo } from '../ledger/rules.ts'
import { setCreditHeaders } from './answer.ts'
import type { Exchange } from './exchange.ts'

/** Whether an Accept header asks for a stream of events rather than JSON. Without a header it does not. */
export const prefersEventStream = (accept: string | undefined): boolean =>
  prefers(accept, 'text/event-stream', 'application/json')

/** Whether it asks for a page rather than JSON. */
export const prefersPage = (accept: string | undefined): boolean =>
  prefers(accept, 'text/html', 'application/json')

/** Whether it asks for Markdown rather than a page. */
export const prefersMarkdown = (accept: string | undefined): boolean =>
  prefers(accept, 'text/markdown', 'text/html')

/** The most exact range counts (RFC 9110, 12.5.1); at equal weight a type that is named wins. */
function prefers(accept: string | undefined, type: string, usual: string): boolean {
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

declare module 'fastify' {
  interface FastifyRequest {
    /** Whether a page is changed on its way to this visitor: he gets it whole, and no tag is good for it. */
    isMadeOver?: boolean
  }
}

type Form = { bytes: Buffer | string; etag: string; isZipped: boolean }

/** A body with all that sending it needs: its strong ETag, and its gzip form with a tag of its own. */
export type Prepared<T extends Buffer | string = Buffer | string> = {
  body: T
  etag: string
  plain: Form
  /** Made when the first client wants it. */
  zipped: () => Form | Promise<Form>
}

const compress = promisify(gzip)

/** Prepares a body, which must not change afterwards. Its ETag is the hash of its octets. */
export function prepare<T extends Buffer | string>(body: T): Prepared<T> {
  const digest = digestOf(body)
  const etag = `"${digest}"`
  let zipped: Form | Promise<Form> | undefined
  const zip = async (): Promise<Form> => {
    zipped = { bytes: await compress(body), etag: `"${digest}-gzip"`, isZipped: true }
    return zipped
  }
  return {
    body,
    etag,
    plain: { bytes: cheapest(body), etag, isZipped: false },
    zipped: () => (zipped ??= zip()),
  }
}

/** A text beyond Latin-1 takes twice as long to send as its octets do; any other does not (2026-11-28). */
const cheapest = (body: Buffer | string): Buffer | string =>
  typeof body === 'string' && /[^\0-\xff]/.test(body) ? Buffer.from(body) : body

/** The tag of a body (RFC 9110, 8.8.3), without its quotes: a form of it adds its coding. */
const digestOf = (bytes: Buffer | string): string => hash('sha256', bytes, 'base64url').slice(0, 22)

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

/** A text as gzip where the client takes it, with the header that says so. */
export async function zipFor(
  request: FastifyRequest,
  reply: FastifyReply,
  text: string,
): Promise<Buffer | string> {
  if (!takesGzip(request.headers['accept-encoding'])) return text
  reply.header('content-encoding', 'gzip')
  return compress(text)
}

type Sending = { type: string; headers?: Readonly<Record<string, string>>; vary?: string | undefined }

/**
 * Sends a prepared body: as gzip where the client takes it, and as 304 where the client has it (RFC 9110,
 * 13.1.2). `type` is a media type without charset.
 */
export function sendReady(
  request: FastifyRequest,
  reply: FastifyReply,
  made: Prepared,
  sending: Sending,
): FastifyReply | Promise<FastifyReply> {
  if (request.isMadeOver && sending.type === 'text/html')
    return reply
      .headers({ ...sending.headers })
      .type('text/html; charset=utf-8')
      .send(made.body)
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
  // A page is another one for who has a session.
  reply.header('vary', type === 'text/html' ? `${vary}, cookie` : vary)
  if (matches(request.headers['if-none-match'], etag)) return reply.code(304).send()
  if (isZipped) reply.header('content-encoding', 'gzip')
  reply.header('content-type', `${type}; charset=utf-8`)
  return reply.send(bytes)
}

type StaticBody = Omit<Sending, 'vary'> & {
  /** Makes the body, once; anew for the next request if it says that this one is good for now alone. */
  make: (forNow: () => void) => string | Buffer | Promise<string | Buffer>
}

/** Options of a route whose body is prepared: it is in no OpenAPI document, and is not compressed twice. */
export const READY = { schema: { hide: true }, exposeHeadRoute: true, compress: false } as const

/**
 * Serves what `make` gives at `url`, for as long as the process lives. Where `make` throws, so does the
 * answer.
 */
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

/** A free answer that is the same text for all, and who listens to how it changes. */
export type PreparedAnswer = {
  text: Prepared
  /** For a client that prefers events. False, with nothing done, where there is no place for a listener. */
  listen?: (reply: FastifyReply) => boolean
}

/** The prepared answer to a question, made by `make` unless it is kept. A new `source` voids all answers. */
export type RecentAnswers<O extends object> = (
  source: O,
  question: string,
  make: () => string,
) => Prepared<string>

/** Keeps answers of one source, `mostOctets` in all; a gzip form counts as much as its text. */
export function keepRecent<O extends object>(mostOctets: number): RecentAnswers<O> {
  const kept = new LRUCache<string, Prepared<string>>({
    maxSize: mostOctets,
    sizeCalculation: ({ body }, question) => 2 * body.length + question.length,
  })
  let current: O | undefined
  return (source, question, make) => {
    if (source !== current) kept.clear()
    current = source
    const known = kept.get(question)
    if (known) return known
    const made = prepare(make())
    kept.set(question, made)
    return made
  }
}

const FULL_S = 60

/**
 * Answers by a prepared body, or by events where the client asks for them: a promise only where the balance
 * must be read. Throws RATE_LIMIT_EXCEEDED where `listen` has no place.
 */
export function servePrepared(
  { text, listen }: PreparedAnswer,
  { call, platform, request, reply }: Exchange,
): void | Promise<void> {
  const go = (saldo: Saldo): void | Promise<void> => {
    setCreditHeaders(reply, 0, saldo)
    if (!listen || !prefersEventStream(request.headers.accept)) return sendPrepared(text, request, reply)
    if (!listen(reply)) throw full(reply)
  }
  const saldo = platform.ledger.saldoVisto(call.conta)
  return saldo instanceof Promise ? saldo.then(go) : go(saldo)
}

/** Sends prepared JSON of an endpoint that also has events. */
export function sendPrepared(
  made: Prepared,
  request: FastifyRequest,
  reply: FastifyReply,
): void | Promise<void> {
  const sending = { type: 'application/json', vary: 'accept, accept-encoding' }
  const sent = sendReady(request, reply, made, sending)
  // Fastify waits for what it is given, which a reply that went out already does not need.
  if (sent instanceof Promise) return sent.then(() => undefined)
}

function full(reply: FastifyReply): ApiError {
  reply.header('retry-after', FULL_S)
  return new ApiError(
    'RATE_LIMIT_EXCEEDED',
    `Há fluxos de eventos abertos demais. Feche um deles, consulte sem "Accept: text/event-stream", ou tente de novo em ${FULL_S} s.`,
  )
}
