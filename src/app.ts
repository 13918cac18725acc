import type { Server } from 'node:http'
import compress from '@fastify/compress'
import Fastify, { type FastifyError, type FastifyHttpOptions, type FastifyInstance } from 'fastify'
import { consultarCnd, consultarCndTodos } from './certidao/api.ts'
import { baseCnpj, consultarCnpj } from './cnpj/api.ts'
import { conta } from './contas/api.ts'
import { login, registrar, sair } from './contas/api-acesso.ts'
import { consultarCndFederal } from './federal/api.ts'
import { fontes } from './fontes/api.ts'
import { consultar, consultarIeTodos } from './inscricao/api.ts'
import { consultarNfeXml } from './nfe/api.ts'
import type { TrustedProxies } from './platform/config/setting.ts'
import type { Context } from './platform/context.ts'
import { readJsonBodies, readXmlBodies } from './platform/http/bodies.ts'
import { dropStuckConnections, STUCK_MS } from './platform/http/connections.ts'
import { documentation } from './platform/http/documentation.ts'
import { health } from './platform/http/health.ts'
import { compileSchemasLate } from './platform/http/late-schemas.ts'
import type { OutcomeSink } from './platform/http/outcome.ts'
import { logOutcomes, recordOutcomes } from './platform/http/outcome.ts'
import { errorHandler } from './platform/http/problem.ts'
import { prefersPage } from './platform/http/ready.ts'
import {
  nearestPath,
  recordRoutes,
  refuseBrokenRequest,
  refuseUnknownRoutes,
  refuseUnreadableUrl,
  setCommonHeaders,
} from './platform/http/refusals.ts'
import { parseQuery, toValidationError } from './platform/http/validator.ts'
import { newRequestId } from './platform/jobs/request-id.ts'
import { molduraDe } from './platform/pages/moldura.ts'
import { rejeicao, rejeicoes, rejeicoesPublicas } from './rejeicoes/api.ts'
import { diagnosticar } from './rejeicoes/api-diagnostico.ts'
import { consultarCnir } from './rural/api-cnir.ts'
import { perfilProdutor } from './rural/api-perfil.ts'
import { consultarSigef } from './rural/api-sigef.ts'
import { sefazAmbienteNacional, sefazStatus } from './sefaz/api.ts'
import { sefazHistorico } from './sefaz/api-historico.ts'
import { documentationPages } from './site/documentacao.ts'
import { paraModelos } from './site/llms.ts'
import { mapaDoSite } from './site/mapa-do-site.ts'
import { type Preparar, paginaDoErro, site } from './site/site.ts'

const MIB = 1024 * 1024

/** The endpoints; a new one is a file in `api/` and a line here. */
const endpoints = [
  consultar,
  consultarIeTodos,
  consultarCnd,
  consultarCndTodos,
  consultarCndFederal,
  consultarCnpj,
  consultarCnir,
  perfilProdutor,
  consultarSigef,
  consultarNfeXml,
  baseCnpj,
  fontes,
  conta,
  registrar,
  login,
  sair,
  sefazStatus,
  sefazHistorico,
  sefazAmbienteNacional,
  rejeicoes,
  rejeicao,
  rejeicoesPublicas,
  diagnosticar,
]

/**
 * The HTTP application over a context, ready to listen; closing it does not close the context. `sinks` take
 * outcomes besides the log and the usage.
 */
export async function buildApp(
  ctx: Context,
  sinks: readonly OutcomeSink[] = [],
  preparar: Preparar = () => undefined,
): Promise<FastifyInstance> {
  const app: FastifyInstance = Fastify(serverOptions(ctx))
  compileSchemasLate(app)
  dropStuckConnections(app.server)
  recordOutcomes(app, [logOutcomes(ctx.log), ctx.store.usos.note, ...sinks])
  setCommonHeaders(app, ctx.sources.ambiente)
  await app.register(compress, { encodings: ['gzip'], threshold: 1024, globalDecompression: false })
  await app.register(api, { ctx })
  await app.register(site, { ctx, preparar })
  // Node would answer an unknown Expect with a bare 417.
  app.server.on('checkExpectation', (request, response) => app.server.emit('request', request, response))
  return app
}

/**
 * The JSON API, with its documentation. Its errors are problem+json; an unknown address that a browser has
 * opened is a page.
 */
async function api(app: FastifyInstance, { ctx }: { ctx: Context }): Promise<void> {
  const [tellProblem, tellPage] = [errorHandler(ctx), paginaDoErro(ctx, molduraDe(ctx))]
  app.setErrorHandler<FastifyError>((error, request, reply) =>
    request.is404 && prefersPage(request.headers.accept)
      ? tellPage(error, request, reply)
      : tellProblem(error, request, reply),
  )
  // Fastify reads it by itself, and no endpoint takes it.
  app.removeContentTypeParser('text/plain')
  readJsonBodies(app)
  readXmlBodies(app)
  const served = recordRoutes(app)
  await documentation(app, ctx)
  documentationPages(app, ctx)
  mapaDoSite(app, ctx)
  paraModelos(app, ctx)
  health(app, ctx)
  for (const register of endpoints) register(app, ctx)
  const declared = [...served.keys()]
  refuseUnknownRoutes(app, served, (address) => {
    const near = nearestPath(address, declared)
    return `Não há nada neste endereço.${near ? ` O mais próximo é ${near}.` : ''} A lista das rotas está em /documentacao.`
  })
}

/**
 * Whose X-Forwarded-For Fastify reads, from the connection outwards. A number is counted by us: given to
 * Fastify 5.12 it trusts nobody, without a word.
 */
function trustOf(proxies: TrustedProxies): false | string[] | ((address: string, hop: number) => boolean) {
  if (typeof proxies !== 'number') return [...proxies]
  return proxies > 0 && ((_address, hop) => hop < proxies)
}

/** Limits and time-outs of the HTTP server, each set on purpose. */
function serverOptions(ctx: Context): FastifyHttpOptions<Server> {
  return {
    bodyLimit: MIB,
    requestTimeout: 30_000,
    keepAliveTimeout: 72_000,
    connectionTimeout: STUCK_MS,
    http: {
      maxHeaderSize: 16 * 1024,
      headersTimeout: 15_000,
      // How often Node looks for requests that come too slowly.
      connectionsCheckingInterval: 5_000,
      // Without Host, Node would answer by itself, without our headers: see setCommonHeaders.
      requireHostHeader: false,
    },
    trustProxy: trustOf(ctx.config.TRUST_PROXY),
    genReqId: () => newRequestId(ctx.now()),
    exposeHeadRoutes: false,
    // While closing, requests already on a connection are still answered: a drain loses nothing.
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    logger: false,
    routerOptions: { querystringParser: parseQuery },
    schemaErrorFormatter: toValidationError,
    clientErrorHandler: refuseBrokenRequest(ctx.sources.ambiente),
    frameworkErrors: (_error, request, reply) =>
      refuseUnreadableUrl(ctx.sources.ambiente, request.id, reply.raw),
  }
}
