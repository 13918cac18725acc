import type { FastifyInstance, FastifyRequest, onRequestHookHandler } from 'fastify'
import { ApiError } from '../errors.ts'
import type { MolduraDoSite } from './layout.ts'

/** Lets forms name their origin: by `no-referrer` a browser on plain HTTP sends `null` in its place. */
export function sendOrigin(app: FastifyInstance): void {
  app.addHook('onRequest', (_request, reply, done) => {
    reply.header('referrer-policy', 'same-origin')
    done()
  })
}

/** A browser says where a form comes from: by Fetch Metadata, or else by its Origin. */
export function isOfOurPages(
  { headers, host }: FastifyRequest,
  { publico }: Pick<MolduraDoSite, 'publico'>,
): boolean {
  const site = headers['sec-fetch-site']
  if (site !== undefined) return site === 'same-origin'
  const { origin = '' } = headers
  if (!URL.canParse(origin)) return false
  return new URL(origin).host === host || (publico !== undefined && new URL(publico).origin === origin)
}

export class DeFora extends ApiError {
  constructor(oQueFazer: string) {
    super('REQUISICAO_INVALIDA', `O formulário não veio desta página. ${oQueFazer}`)
  }
}

const deFora = new DeFora('Abra a página de novo e envie-o por ela.')

export const soDasNossasPaginas =
  (moldura: Pick<MolduraDoSite, 'publico'>): onRequestHookHandler =>
  (request, _reply, done) => {
    const reads = request.method === 'GET' || request.method === 'HEAD'
    done(reads || isOfOurPages(request, moldura) ? undefined : deFora)
  }
