import swagger from '@fastify/swagger'
import scalar from '@scalar/fastify-api-reference'
import type { FastifyInstance } from 'fastify'
import { errorsPage } from './errors-page.ts'

const INTRODUCTION = `Consultas fiscais sobre contribuintes brasileiros, cobradas em créditos só pelo que é entregue.

Envie a chave da conta no cabeçalho \`X-API-Key\`. Erros vêm como \`application/problem+json\` (RFC 9457), com um
\`error_code\` estável; a lista está em [/erros](/erros).`

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
  app.get('/erros', { schema: { hide: true } }, (_request, reply) =>
    reply.type('text/html; charset=utf-8').send(errorsPage()),
  )
  await app.register(scalar, {
    routePrefix: '/documentacao',
    configuration: {
      title: 'Consulta Fiscal',
      url: '/openapi.json',
      withDefaultFonts: false,
      telemetry: false,
      hideClientButton: true,
    },
  })
}
