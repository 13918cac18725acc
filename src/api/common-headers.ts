import type { FastifyInstance } from 'fastify'
import type { Context } from '../context.ts'
import { ApiError } from '../domain/errors.ts'

/**
 * What a browser must not do with a JSON answer, as OWASP's REST cheat sheet has it; pages loosen the policy. helmet was
 * tried: it works its headers out again for each answer, 5 % of a look-up. No `includeSubDomains` and no upgrade of
 * insecure requests: TLS ends at the operator's proxy, if anywhere.
 */
const SECURITY = {
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
  'strict-transport-security': 'max-age=31536000',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
}

const noHost = new ApiError('REQUISICAO_INVALIDA', 'Falta o cabeçalho Host.')

/** Headers of every answer: which request it is, who plays the authorities, and the security headers. */
export function setCommonHeaders(app: FastifyInstance, { ambiente }: Context): void {
  const constant = { ...SECURITY, 'x-ambiente': ambiente }
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers(constant)
    reply.header('x-request-id', request.id)
    // RFC 9112, 3.2.
    if (request.headers.host === undefined && request.raw.httpVersion === '1.1') done(noHost)
    else done()
  })
}
