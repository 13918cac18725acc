import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { digestOf, type Form, sendForm, takesGzip } from './forms.ts'

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
