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
export type Form = { bytes: Buffer | string; etag: string; isZipped: boolean }

/** The tag of a body (RFC 9110, 8.8.3), without its quotes: a form of it adds its coding. */
export const digestOf = (bytes: Buffer | string): string => hash('sha256', bytes, 'base64url').slice(0, 22)

/** Whether an `Accept-Encoding` names gzip, without a weight of nothing. */
export const takesGzip = (accepted = ''): boolean =>
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

/**
 * Answers with a form of a body, or says that the client's copy of it is still good. `type` is the media type
 * without its charset, which is UTF-8.
 */
export function sendForm(
  { headers }: FastifyRequest,
  reply: FastifyReply,
  { bytes, etag, isZipped }: Form,
  { type, vary }: { type: string; vary: string },
): FastifyReply {
  reply.header('etag', etag)
  reply.header('vary', vary)
  if (matches(headers['if-none-match'], etag)) return reply.code(304).send()
  if (isZipped) reply.header('content-encoding', 'gzip')
  reply.header('content-type', `${type}; charset=utf-8`)
  return reply.send(bytes)
}

const compress = promisify(gzip)

/** A body and its gzip form: all answers share the same memory. */
export type Forms = { plain: Form; zipped: Form }

type StaticBody = {
  /** The media type, without its charset, which is UTF-8. */
  type: string
  /** Headers of its own. */
  headers: Readonly<Record<string, string>>
  /** Makes the body, once; anew for the next request if it says that this one is good for now alone. */
  make: (forNow: () => void) => string | Buffer | Promise<string | Buffer>
}

/** Routes whose bodies have their gzip form already. */
export const READY = { schema: { hide: true }, exposeHeadRoute: true, compress: false } as const

/** Serves a body that never changes while the process lives. It is made at the first request. */
export function serveStatic(app: FastifyInstance, url: string, { type, headers, make }: StaticBody): void {
  let forms: Promise<Forms> | undefined
  const forget = (): void => {
    forms = undefined
  }
  const makeOnce = async (): Promise<Forms> => {
    let isForNow = false
    const made = await make(() => {
      isForNow = true
    })
    if (isForNow) forget()
    return prepareForms(made)
  }
  app.get(url, READY, async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    forms ??= makeOnce()
    // A failure is not kept: the next request tries again.
    const made = await forms.catch((error) => {
      forget()
      throw error
    })
    return sendForms(request, reply, { forms: made, type, headers })
  })
}

/** Makes the two forms of a body, each with its ETag (RFC 9110, 8.8.3). */
export async function prepareForms(made: string | Buffer): Promise<Forms> {
  const bytes = typeof made === 'string' ? Buffer.from(made) : made
  const digest = digestOf(bytes)
  return {
    plain: { bytes, etag: `"${digest}"`, isZipped: false },
    zipped: { bytes: await compress(bytes), etag: `"${digest}-gzip"`, isZipped: true },
  }
}

/** Answers with the form that the client takes, or says that its copy is still good. */
export function sendForms(
  request: FastifyRequest,
  reply: FastifyReply,
  {
    forms,
    type,
    headers,
    vary = 'accept-encoding',
  }: Pick<StaticBody, 'type' | 'headers'> & { forms: Forms; vary?: string | undefined },
): FastifyReply {
  const form = takesGzip(request.headers['accept-encoding']) ? forms.zipped : forms.plain
  return sendForm(request, reply.headers(headers), form, { type, vary })
}
