import type { Server } from 'node:http'
import compress from '@fastify/compress'
import Fastify, { type FastifyError, type FastifyHttpOptions, type FastifyInstance } from 'fastify'
import { baseCnpj } from '../api/base-cnpj.ts'
import { consultar } from '../api/consultar.ts'
import { consultarCnd } from '../api/consultar-cnd.ts'
import { consultarCndFederal } from '../api/consultar-cnd-federal.ts'
import { consultarCndTodos } from '../api/consultar-cnd-todos.ts'
import { consultarCnir } from '../api/consultar-cnir.ts'
import { consultarCnpj } from '../api/consultar-cnpj.ts'
import { consultarIeTodos } from '../api/consultar-ie-todos.ts'
import { consultarNfeXml } from '../api/consultar-nfe-xml.ts'
import { consultarSigef } from '../api/consultar-sigef.ts'
import { conta } from '../api/conta.ts'
import { diagnosticar } from '../api/diagnosticar.ts'
import { documentation } from '../api/documentation.ts'
import { fontes } from '../api/fontes.ts'
import { health } from '../api/health.ts'
import { prefersPage } from '../api/http/accept.ts'
import { setCommonHeaders } from '../api/http/common-headers.ts'
import { readJsonBodies } from '../api/http/json-body.ts'
import { nearestPath } from '../api/http/nearest-path.ts'
import { recordRoutes, refuseUnknownRoutes } from '../api/http/not-found.ts'
import { refuseBrokenRequest, refuseUnreadableUrl } from '../api/http/refuse-broken-request.ts'
import { dropStuckConnections, STUCK_MS } from '../api/http/stuck-connections.ts'
import { readXmlBodies } from '../api/http/xml-body.ts'
import { login } from '../api/login.ts'
import { perfilProdutor } from '../api/perfil-produtor.ts'
import { logOutcomes, recordOutcomes } from '../api/pipeline/outcome.ts'
import { errorHandler } from '../api/pipeline/problem.ts'
import { registrar } from '../api/registrar.ts'
import { rejeicao } from '../api/rejeicao.ts'
import { rejeicoes } from '../api/rejeicoes.ts'
import { rejeicoesPublicas } from '../api/rejeicoes-publicas.ts'
import { sair } from '../api/sair.ts'
import { sefazAmbienteNacional } from '../api/sefaz-ambiente-nacional.ts'
import { sefazHistorico } from '../api/sefaz-historico.ts'
import { sefazStatus } from '../api/sefaz-status.ts'
import { parseQuery } from '../api/validation/empty.ts'
import { toValidationError } from '../api/validation/validator.ts'
import type { TrustedProxies } from '../config/setting.ts'
import type { Context } from '../context/context.ts'
import type { OutcomeSink } from '../domain/outcome.ts'
import { newRequestId } from '../store/chamadas/request-id.ts'
import { documentationPages } from '../web/documentacao.ts'
import { paraModelos } from '../web/llms.ts'
import { mapaDoSite } from '../web/mapa-do-site.ts'
import { molduraDe } from '../web/moldura.ts'
import { type Preparar, paginaDoErro, site } from '../web/site.ts'
import { compileSchemasLate } from './late-schemas.ts'

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
