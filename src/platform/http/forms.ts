import { hash } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'

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
