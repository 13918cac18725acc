import type { FastifyInstance, FastifyRequest } from 'fastify'
import { ApiError } from '../errors.ts'
import type { Ambiente } from '../wire/ambiente.ts'

/**
 * What a browser must not do with a JSON answer (OWASP REST cheat sheet); pages loosen the policy. helmet
 * took 5 % of a look-up, and `includeSubDomains` is left out because TLS ends at the operator's proxy, if
 * anywhere.
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
const manyHosts = new ApiError('REQUISICAO_INVALIDA', 'O cabeçalho Host veio mais de uma vez; envie um só.')

/**
 * The headers of every answer that are the same for all: who plays the authorities, and the security headers.
 */
export const constantHeaders = (ambiente: Ambiente): Readonly<Record<string, string>> => ({
  ...SECURITY,
  'x-ambiente': ambiente,
})

/**
 * Headers of every answer, and which request it is. Refuses a request that does not name its host once (RFC
 * 9112, 3.2).
 */
export function setCommonHeaders(app: FastifyInstance, ambiente: Ambiente): void {
  const constant = constantHeaders(ambiente)
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers(constant)
    reply.header('x-request-id', request.id)
    if (hasSecondHost(request.raw)) done(manyHosts)
    else if (request.headers.host === undefined && request.raw.httpVersion === '1.1') done(noHost)
    else done()
  })
}

/** Node keeps the first of several Host lines. A proxy in front may have used the last one. */
function hasSecondHost({ rawHeaders }: FastifyRequest['raw']): boolean {
  let hosts = 0
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at]
    if (name?.length === 4 && name.toLowerCase() === 'host') hosts += 1
  }
  return hosts > 1
}
