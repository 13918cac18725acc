import type { FastifyInstance } from 'fastify'
import type { Context } from '../context.ts'

/**
 * What a browser must not do with a JSON answer, as OWASP's REST cheat sheet has it. Pages have helmet's longer list,
 * which it works out again for each answer: 5 % of a look-up.
 */
const SECURITY = {
  'Cache-Control': 'no-store',
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
  'Referrer-Policy': 'no-referrer',
  'Strict-Transport-Security': 'max-age=31536000',
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
}

/** Headers of every answer: which request it is, who plays the authorities, and the security headers. */
export function setCommonHeaders(app: FastifyInstance, { config }: Context): void {
  const constant = { ...SECURITY, 'X-Ambiente': config.AUTHORITIES === 'live' ? 'producao' : 'simulador' }
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers(constant)
    reply.header('X-Request-Id', request.id)
    done()
  })
}
