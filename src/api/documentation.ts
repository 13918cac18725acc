import { createHash } from 'node:crypto'
import helmet, { type FastifyHelmetOptions } from '@fastify/helmet'
import swagger from '@fastify/swagger'
import scalar from '@scalar/fastify-api-reference'
import type { FastifyInstance, onSendAsyncHookHandler } from 'fastify'
import { errorsPage } from './errors-page.ts'

const INTRODUCTION = `Consultas fiscais sobre contribuintes brasileiros, cobradas em créditos só pelo que é entregue.

Envie a chave da conta no cabeçalho \`X-API-Key\`. Erros vêm como \`application/problem+json\` (RFC 9457), com um
\`error_code\` estável; a lista está em [/erros](/erros).`

/**
 * TLS ends at the operator's proxy, if anywhere: nothing may insist on it for a page served on the local network, nor
 * for the operator's other subdomains.
 */
const pagePolicy: FastifyHelmetOptions = {
  contentSecurityPolicy: {
    directives: {
      fontSrc: ["'self'", 'data:'],
      styleSrc: ["'self'", "'unsafe-inline'"],
      upgradeInsecureRequests: null,
    },
  },
  strictTransportSecurity: { includeSubDomains: false },
}

/** The OpenAPI 3.1 description made from the routes' schemas, its reference page and the page of error codes, all from our own host. */
export async function documentation(app: FastifyInstance): Promise<void> {
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: { title: 'Consulta Fiscal', version: '1', description: INTRODUCTION },
      components: { securitySchemes: { chave: { type: 'apiKey', in: 'header', name: 'X-API-Key' } } },
      tags: [{ name: 'consultas', description: 'Consultas' }],
    },
  })
  app.get('/openapi.json', { schema: { hide: true } }, async () => app.swagger())
  app.get('/', { schema: { hide: true } }, (_request, reply) => reply.redirect('/documentacao'))
  await app.register(async (page) => {
    await page.register(helmet, pagePolicy)
    page.addHook('onSend', allowOwnScript)
    page.get('/erros', { schema: { hide: true } }, (_request, reply) =>
      reply.type('text/html; charset=utf-8').send(errorsPage()),
    )
    await page.register(scalar, {
      routePrefix: '/documentacao',
      configuration: {
        title: 'Consulta Fiscal',
        url: '/openapi.json',
        proxyUrl: '',
        withDefaultFonts: false,
        telemetry: false,
        hideClientButton: true,
        // Their buttons lead out of this host.
        agent: { disabled: true },
        mcp: { disabled: true },
        showDeveloperTools: 'never',
        authentication: { preferredSecurityScheme: 'chave' },
      },
    })
  })
}

/** The reference page starts itself with a script in the page: the content policy lets in that script, by its hash, and no other. */
const allowOwnScript: onSendAsyncHookHandler = async (_request, reply, payload) => {
  const script =
    typeof payload === 'string' && /<script type="text\/javascript">(.+?)<\/script>/s.exec(payload)?.[1]
  if (!script) return payload
  const hash = createHash('sha256').update(script).digest('base64')
  const policy = String(reply.getHeader('content-security-policy'))
  reply.header(
    'content-security-policy',
    policy.replace("script-src 'self'", `script-src 'self' 'sha256-${hash}'`),
  )
  return payload
}
