import type { FastifyInstance, HTTPMethods } from 'fastify'
import { ApiError } from '../errors.ts'

const METHODS: HTTPMethods[] = ['DELETE', 'GET', 'HEAD', 'OPTIONS', 'PATCH', 'POST', 'PUT']

/** The methods of each path, filled while the routes are declared after this call. */
export function recordRoutes(app: FastifyInstance): Map<string, Set<string>> {
  const served = new Map<string, Set<string>>()
  app.addHook('onRoute', ({ url, method }) => {
    served.set(url, new Set([...(served.get(url) ?? []), ...[method].flat()]))
  })
  return served
}

/** Answers 405 with `Allow` on known paths for every other method, before the body is read. */
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

/**
 * Answers 404 on unknown paths, in the words of `tell`, and 405 for other methods of known ones. Call it
 * after the last route.
 */
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
