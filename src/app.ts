import type { Server } from 'node:http'
import compress from '@fastify/compress'
import Fastify, {
  type FastifyError,
  type FastifyHttpOptions,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
} from 'fastify'
import { consultarCnd, consultarCndTodos } from './certidao/api.ts'
import { baseCnpj, checkBase, consultarCnpj } from './cnpj/api.ts'
import { admitWith } from './contas/admit.ts'
import { conta, login, registrar, sair } from './contas/api.ts'
import { openVisitante } from './contas/visitante.ts'
import { consultarCndFederal } from './federal/api.ts'
import { fontes } from './fontes/api.ts'
import { consultar, consultarIeTodos } from './inscricao/api.ts'
import { consultarNfeXml } from './nfe/api.ts'
import type { TrustedProxies } from './platform/config/setting.ts'
import { readJsonBodies, readXmlBodies } from './platform/http/bodies.ts'
import { documentation } from './platform/http/document.ts'
import type { Admit } from './platform/http/exchange.ts'
import { checkCertificado, health } from './platform/http/health.ts'
import {
  dropStuckConnections,
  logOutcomes,
  type OutcomeSink,
  recordOutcomes,
  STUCK_MS,
} from './platform/http/outcome.ts'
import { errorHandler } from './platform/http/problem.ts'
import { prefersPage } from './platform/http/ready.ts'
import {
  constantHeaders,
  nearestPath,
  recordRoutes,
  refuseBrokenRequest,
  refuseUnknownRoutes,
  refuseUnreadableUrl,
  setCommonHeaders,
} from './platform/http/refusals.ts'
import { compileSchemasLate, parseQuery, toValidationError } from './platform/http/validator.ts'
import { newRequestId } from './platform/jobs/kind.ts'
import { molduraDe } from './platform/pages/moldura.ts'
import { checkCatalogo, rejeicao, rejeicoes, rejeicoesPublicas } from './rejeicoes/api.ts'
import { diagnosticar } from './rejeicoes/api-diagnostico.ts'
import type { Rooms } from './rooms.ts'
import { consultarCnir } from './rural/api-cnir.ts'
import { perfilProdutor } from './rural/api-perfil.ts'
import { checkSigef, consultarSigef } from './rural/api-sigef.ts'
import { checkMonitor, sefazAmbienteNacional, sefazStatus } from './sefaz/api.ts'
import { sefazHistorico } from './sefaz/api-historico.ts'
import { serveReferencia } from './site/documentacao.ts'
import { serveErros } from './site/erros.ts'
import { paraModelos } from './site/llms.ts'
import { mapaDoSite } from './site/mapa-do-site.ts'
import { drawIlegivel, paginaDoErro, TODAS_AS_ROTAS } from './site/pagina-de-erro.ts'
import { type Prepare, site } from './site/site.ts'

const MIB = 1024 * 1024

function registerLookups(app: FastifyInstance, rooms: Rooms, admit: Admit): void {
  const { inscricao, federal, cnpj, nfe, sefaz, rural, rejeicoes: catalogo, contas } = rooms
  for (const register of [consultar, consultarIeTodos, consultarCnd, consultarCndTodos])
    register(app, inscricao, admit)
  consultarCndFederal(app, federal, admit)
  consultarCnpj(app, cnpj, admit)
  consultarCnir(app, rural, admit)
  perfilProdutor(app, rural, admit)
  consultarSigef(app, rural, admit)
  consultarNfeXml(app, nfe, admit)
  baseCnpj(app, cnpj, admit)
  fontes(app, rural, admit)
  conta(app, contas, admit)
  registrar(app, contas)
  login(app, contas)
  sair(app, contas, admit)
  for (const register of [sefazStatus, sefazHistorico, sefazAmbienteNacional]) register(app, sefaz, admit)
  rejeicoes(app, catalogo, admit)
  rejeicao(app, catalogo, admit)
  rejeicoesPublicas(app, catalogo)
  diagnosticar(app, catalogo, admit)
}

/** The HTTP application over the rooms. Closing it does not close them; `sinks` take outcomes too. */
export async function buildApp(
  rooms: Rooms,
  sinks: readonly OutcomeSink[] = [],
  prepare: Prepare = () => undefined,
): Promise<FastifyInstance> {
  const { platform, contas } = rooms
  const app: FastifyInstance = Fastify(serverOptions(rooms))
  compileSchemasLate(app)
  dropStuckConnections(app.server)
  recordOutcomes(app, [logOutcomes(platform.log), contas.usos.note, ...sinks])
  setCommonHeaders(app, platform.ambiente)
  // For less, gzip takes a third of the call to save a packet. As a stream it takes twice as long.
  const sizes = { threshold: 4 * 1024, syncThreshold: 96 * 1024 }
  await app.register(compress, { encodings: ['gzip'], ...sizes, globalDecompression: false })
  await app.register(api, { rooms })
  await app.register(site, {
    room: { ...rooms.contas, ...rooms.sefaz, ...rooms.rejeicoes, ...rooms.rural },
    prepare,
  })
  // Node would answer an unknown Expect with a bare 417.
  app.server.on('checkExpectation', (request, response) => app.server.emit('request', request, response))
  return app
}

/** Its errors are problem+json; an unknown address that a browser has opened is a page. */
async function api(app: FastifyInstance, { rooms }: { rooms: Rooms }): Promise<void> {
  const { platform, contas, cnpj, sefaz, rural, rejeicoes: catalogo } = rooms
  const moldura = molduraDe(platform)
  const [tellProblem, tellPage] = [errorHandler(platform), paginaDoErro(platform, moldura)]
  const visitante = openVisitante(contas, moldura)
  app.setErrorHandler<FastifyError>((error, request, reply) =>
    request.is404 && prefersPage(request.headers.accept)
      ? tellPage(error, request, reply).then((page) => visitante.drawFor(request, reply, page))
      : tellProblem(error, request, reply),
  )
  // Fastify reads it by itself, and no endpoint takes it.
  app.removeContentTypeParser('text/plain')
  readJsonBodies(app)
  readXmlBodies(app)
  const served = recordRoutes(app)
  const writeDocumento = await documentation(app, platform)
  await app.register(async (pages) => {
    visitante.frame(pages)
    serveErros(pages, platform)
    serveReferencia(pages, platform, writeDocumento)
  })
  mapaDoSite(app, catalogo)
  paraModelos(app, platform)
  health(app, platform, [
    checkBase(cnpj),
    checkCertificado(platform),
    checkSigef(rural),
    checkMonitor(sefaz),
    checkCatalogo(catalogo),
  ])
  registerLookups(app, rooms, admitWith(contas))
  const declared = [...served.keys()]
  refuseUnknownRoutes(app, served, (address) => {
    const near = nearestPath(address, declared)
    return `Não há nada neste endereço.${near ? ` O mais próximo é ${near}.` : ''} ${TODAS_AS_ROTAS}`
  })
}

/** A number is counted by us: given to Fastify 5.12 it trusts nobody, without a word. */
function trustOf(proxies: TrustedProxies): false | string[] | ((address: string, hop: number) => boolean) {
  if (typeof proxies !== 'number') return [...proxies]
  return proxies > 0 && ((_address, hop) => hop < proxies)
}

async function tellUnreadable(
  { platform, contas }: Rooms,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  const { ambiente } = platform
  if (!prefersPage(request.headers.accept)) return refuseUnreadableUrl(ambiente, request.id, reply.raw)
  const moldura = molduraDe(platform)
  reply.headers({ ...constantHeaders(ambiente), 'x-request-id': request.id })
  const page = drawIlegivel(request, reply, moldura)
  reply.send(await openVisitante(contas, moldura).drawFor(request, reply, page))
}

function serverOptions(rooms: Rooms): FastifyHttpOptions<Server> {
  const { platform } = rooms
  return {
    bodyLimit: MIB,
    requestTimeout: 30_000,
    keepAliveTimeout: 72_000,
    connectionTimeout: STUCK_MS,
    http: {
      maxHeaderSize: 16 * 1024,
      headersTimeout: 15_000,
      connectionsCheckingInterval: 5_000,
      // Without Host, Node would answer by itself, without our headers: see setCommonHeaders.
      requireHostHeader: false,
      // Without a body a request is no stream, and has no events: its response tells that a client left.
      optimizeEmptyRequests: true,
    },
    trustProxy: trustOf(platform.config.TRUST_PROXY),
    genReqId: () => newRequestId(platform.now()),
    exposeHeadRoutes: false,
    // While closing, requests already on a connection are still answered: a drain loses nothing.
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    logger: false,
    routerOptions: { querystringParser: parseQuery },
    schemaErrorFormatter: toValidationError,
    clientErrorHandler: refuseBrokenRequest(platform.ambiente),
    frameworkErrors: (_error, request, reply) => tellUnreadable(rooms, request, reply),
  }
}
