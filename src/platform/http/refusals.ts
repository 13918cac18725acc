import { randomUUID } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyInstance, FastifyRequest, HTTPMethods } from 'fastify'
import { distanceUpTo } from '../../documento/digitado.ts'
import { ApiError, errorCodes } from '../errors.ts'
import type { Ambiente } from '../wire/fonte.ts'
import { problemBody } from './problem.ts'

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

/** On every answer. Fastify's hooks set them, but for what no hook sees. */
export const constantHeaders = (ambiente: Ambiente): Readonly<Record<string, string>> => ({
  ...SECURITY,
  'x-ambiente': ambiente,
})

/** Refuses a request that does not name its host once (RFC 9112, 3.2). */
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

const reasons = new Map<string, ApiError>([
  [
    'HPE_HEADER_OVERFLOW',
    new ApiError('CABECALHOS_MUITO_GRANDES', 'A URL e os cabeçalhos podem somar até 16 KiB.'),
  ],
  [
    'ERR_HTTP_REQUEST_TIMEOUT',
    new ApiError(
      'TEMPO_ESGOTADO',
      'A requisição não chegou inteira a tempo. Tente de novo em alguns segundos.',
    ),
  ],
])
const unreadable = new ApiError('REQUISICAO_INVALIDA', 'O que chegou não é uma requisição HTTP válida.')

/** Bytes that are no HTTP: there is no request to reply to, so it writes to the socket. */
export const refuseBrokenRequest =
  (ambiente: Ambiente) =>
  (error: Error & { code: string }, socket: Socket): void => {
    if (error.code === 'ECONNRESET' || socket.destroyed || !socket.writable) {
      socket.destroy()
      return
    }
    const reason = reasons.get(error.code) ?? unreadable
    const { status, title } = errorCodes[reason.code]
    const request_id = randomUUID()
    const body = problemBody(reason, request_id)
    const headers = {
      ...rawHeaders(ambiente, request_id, body),
      ...(reason.retryS !== null && { 'retry-after': reason.retryS }),
      connection: 'close',
    }
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
    const phrase = title.normalize('NFD').replace(/[^\x20-\x7e]/g, '')
    socket.end(`HTTP/1.1 ${status} ${phrase}\r\n${lines.join('')}\r\n${body}`)
  }

const rawHeaders = (ambiente: Ambiente, request_id: string, body: string) => ({
  ...constantHeaders(ambiente),
  'x-request-id': request_id,
  'content-type': 'application/problem+json; charset=utf-8',
  'content-length': Buffer.byteLength(body),
})

const badUrl = new ApiError(
  'REQUISICAO_INVALIDA',
  'A URL não pôde ser lida: verifique os caracteres escapados com %.',
)

/** Answers a URL that the router could not decode; no route, and so no hook, ever sees it. */
export function refuseUnreadableUrl(ambiente: Ambiente, request_id: string, response: ServerResponse): void {
  const body = problemBody(badUrl, request_id)
  response.writeHead(errorCodes[badUrl.code].status, rawHeaders(ambiente, request_id, body)).end(body)
}

const METHODS: HTTPMethods[] = ['DELETE', 'GET', 'HEAD', 'OPTIONS', 'PATCH', 'POST', 'PUT']

export function recordRoutes(app: FastifyInstance): Map<string, Set<string>> {
  const served = new Map<string, Set<string>>()
  app.addHook('onRoute', ({ url, method }) => {
    served.set(url, new Set([...(served.get(url) ?? []), ...[method].flat()]))
  })
  return served
}

export function refuseOtherMethods(app: FastifyInstance, served: Map<string, Set<string>>): void {
  for (const [url, methods] of [...served]) {
    const allow = [...methods].join(', ')
    app.route({
      method: METHODS.filter((method) => !methods.has(method)),
      // Fastify puts the prefix of a plugin before it once more.
      url: url.slice(app.prefix.length),
      prefixTrailingSlash: 'slash',
      schema: { hide: true },
      onRequest: (request, reply, done) => {
        reply.header('Allow', allow)
        const detail = `Esta rota aceita ${allow}; foi recebido ${request.method}.`
        done(new ApiError('METODO_NAO_PERMITIDO', detail))
      },
      handler: () => undefined,
    })
  }
}

/** 404 in the words of `tell`, 405 for other methods. Call it after the last route. */
export function refuseUnknownRoutes(
  app: FastifyInstance,
  served: Map<string, Set<string>>,
  tell: (address: string) => string,
): void {
  refuseOtherMethods(app, served)
  app.addHook('onRequest', ({ is404, url }, _reply, done) =>
    done(is404 ? new ApiError('ROTA_NAO_ENCONTRADA', tell(url)) : undefined),
  )
  // Gives unknown paths the hooks and the error handler of this plugin.
  app.setNotFoundHandler(() => undefined)
}

const LONGEST = 120

/** A mistake in a third of a path, at most: beyond it the path that was meant is a guess. */
const limitFor = (length: number): number => Math.floor(length / 3)

/** By edit distance; capitals, slashes at the end and numbers in the path do not count. */
export function nearestPath(address: string, declared: Iterable<string>): string | undefined {
  const sent = segmentsOf(address.split('?', 1)[0] ?? '')
  if (sent === undefined) return undefined
  const plain = sent.filter((segment) => !/^[\d./-]{6,}$/.test(segment)).join('/')
  let best: { path: string; distance: number } | undefined
  for (const path of declared) {
    const segments = path.split('/').filter((segment) => segment !== '')
    // From the end: a parameter is the last of a path, and what lacks is before it.
    const shift = sent.length - segments.length
    const wanted = segments.map((segment, at) =>
      segment.startsWith(':') ? (sent[at + shift] ?? '') : segment,
    )
    const text = path.includes(':') ? sent.join('/') : plain
    const limit = Math.min(limitFor(text.length), best ? best.distance - 1 : Number.POSITIVE_INFINITY)
    const distance = distanceUpTo(limit, text, wanted.join('/').toLowerCase())
    if (distance !== undefined) best = { path, distance }
  }
  return best?.path.replace(/:(\w+)/g, '{$1}')
}

function segmentsOf(path: string): string[] | undefined {
  if (path.length > LONGEST) return undefined
  return path
    .toLowerCase()
    .split('/')
    .filter((segment) => segment !== '')
}
