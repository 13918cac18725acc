import { hash } from 'node:crypto'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

const compress = promisify(gzip)

/** A body that is the same for everybody, as it goes out. */
type Form = { bytes: Buffer; etag: string; headers: Readonly<Record<string, string>> }
type Forms = { plain: Form; zipped: Form }

type StaticBody = {
  /** The media type, without its charset, which is UTF-8. */
  type: string
  /** Headers of its own. */
  headers: Readonly<Record<string, string>>
  /** Makes the body, once; anew for the next request if it says that this one is good for now alone. */
  make: (forNow: () => void) => string | Buffer | Promise<string | Buffer>
}

/**
 * Serves a body that never changes while the process lives, with its gzip form and ETag (RFC 9110). It is
 * made at the first request; all answers share the same memory.
 */
export function serveStatic(app: FastifyInstance, url: string, { type, headers, make }: StaticBody): void {
  let forms: Promise<Forms> | undefined
  const forget = (): void => {
    forms = undefined
  }
  const answer = async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    forms ??= prepare(make, forget)
    // A failure is not kept: the next request tries again.
    const { plain, zipped } = await forms.catch((error) => {
      forget()
      throw error
    })
    const form = takesGzip(request.headers['accept-encoding']) ? zipped : plain
    reply.headers({ ...headers, ...form.headers, etag: form.etag, vary: 'accept-encoding' })
    if (matches(request.headers['if-none-match'], form.etag))
      return reply.removeHeader('content-encoding').code(304).send()
    return reply.type(`${type}; charset=utf-8`).send(form.bytes)
  }
  app.get(url, { schema: { hide: true }, exposeHeadRoute: true, compress: false }, answer)
}

async function prepare(make: StaticBody['make'], forget: () => void): Promise<Forms> {
  let isForNow = false
  const made = await make(() => {
    isForNow = true
  })
  if (isForNow) forget()
  const bytes = typeof made === 'string' ? Buffer.from(made) : made
  const digest = hash('sha256', bytes, 'base64url').slice(0, 22)
  return {
    plain: { bytes, etag: `"${digest}"`, headers: {} },
    zipped: {
      bytes: await compress(bytes),
      etag: `"${digest}-gzip"`,
      headers: { 'content-encoding': 'gzip' },
    },
  }
}

/** Whether an `Accept-Encoding` names gzip, without a weight of nothing. */
const takesGzip = (accepted = ''): boolean =>
  accepted
    .toLowerCase()
    .split(',')
    .some((coding) => /^\s*(gzip|\*)\s*(;|$)/.test(coding) && !/;\s*q=0(\.0*)?\s*$/.test(coding))

/** Whether an `If-None-Match` names this form. Weak and strong tags compare alike here (RFC 9110, 13.1.2). */
const matches = (sent = '', etag: string): boolean =>
  sent
    .split(',')
    .map((tag) => tag.trim().replace(/^W\//, ''))
    .some((tag) => tag === '*' || tag === etag)
