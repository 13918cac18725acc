import { hash } from 'node:crypto'

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
export const matches = (sent = '', etag: string): boolean =>
  sent !== '' &&
  sent
    .split(',')
    .map((tag) => tag.trim().replace(/^W\//, ''))
    .some((tag) => tag === '*' || tag === etag)
