import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import type { FastifyInstance, RouteOptions } from 'fastify'
import { buildApp } from '../../src/app.ts'
import type { Rooms } from '../../src/rooms.ts'

/** A route that answers. `isKeyed` tells that its document wants the key, or the token, of an account. */
export type Rota = { method: string; url: string; isKeyed: boolean }

const STARTED = 'fastify.initialization'

/** All routes of the service, as its app declares them: a new one is in the list by itself. */
export async function listRotas(rooms: Rooms): Promise<Rota[]> {
  const rotas: Omit<Rota, 'isKeyed'>[] = []
  const onApp = (message: unknown): void => {
    const { fastify }: { fastify: FastifyInstance } = Object(message)
    fastify.addHook('onRoute', ({ method, url }: RouteOptions) => {
      // What refuses the other methods of a path is one route of many methods.
      if (typeof method === 'string') rotas.push({ method, url })
    })
  }
  subscribe(STARTED, onApp)
  const app = await buildApp(rooms).finally(() => unsubscribe(STARTED, onApp))
  const { paths } = (await app.inject('/openapi.json')).json()
  await app.close()
  return rotas.map((one) => {
    const path = one.url.replace(/:(\w+)/g, '{$1}')
    const { security = [] } = paths[path]?.[one.method.toLowerCase()] ?? {}
    return { ...one, isKeyed: security.length > 0 }
  })
}
