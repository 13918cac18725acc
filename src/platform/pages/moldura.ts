import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { LRUCache } from 'lru-cache'
import { type Prepared, prepare, sendReady } from '../http/ready.ts'
import type { Platform } from '../platform.ts'
import { estaticos } from './estaticos.ts'
import type { MolduraDoSite } from './layout.ts'

export const molduraDe = ({ config: { PUBLIC_URL }, ambiente }: Platform): MolduraDoSite => ({
  // A proxy may serve us under a path of its own, which our routes do not have.
  prefixo: PUBLIC_URL ? new URL(PUBLIC_URL).pathname.replace(/\/$/, '') : '',
  publico: PUBLIC_URL?.replace(/\/$/, ''),
  estilo: estaticos.estilo.caminho,
  icone: estaticos.icone.caminho,
  simulador: ambiente === 'simulador',
})

/** What a page may load: from our own host alone, and no script may make HTML of text. */
const POLITICA =
  "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; " +
  "form-action 'self'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'"

/** A browser asks each time for a newer copy; a cache that many share may keep it longer. */
export const cabecalhosPublicos = { 'cache-control': 'public, max-age=0, s-maxage=300' }

export const cabecalhosDePagina = {
  'content-security-policy': POLITICA,
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
}

export const setPageHeaders = (app: FastifyInstance): FastifyInstance =>
  app.addHook('onRequest', (_request, reply, done) => {
    reply.headers(cabecalhosDePagina)
    done()
  })

/** Made again only for another version: however many ask, one is made. Each name keeps the last. */
export type Prontas = {
  send: (
    request: FastifyRequest,
    reply: FastifyReply,
    what: {
      nome: string
      versao: string
      type: string
      headers: Readonly<Record<string, string>>
      vary?: string
      make: () => string
    },
  ) => Promise<FastifyReply>
}

export function openProntas({ most }: { most: number }): Prontas {
  const kept = new LRUCache<string, { versao: string; made: Prepared }>({ max: most })
  return {
    send: async (request, reply, { nome, versao, type, headers, vary, make }) => {
      const known = kept.get(nome)
      const one = known?.versao === versao ? known : { versao, made: prepare(make()) }
      kept.set(nome, one)
      return sendReady(request, reply, one.made, { type, headers, vary })
    },
  }
}

/** The whole address of this service: the operator's, or where it listens. Call it once it listens. */
export const baseDe = (app: FastifyInstance, { publico }: Pick<MolduraDoSite, 'publico'>): string =>
  publico ?? enderecoDaEscuta(app)

/** Where the service listens; whoever listens on all addresses is reached on this machine's own. */
const enderecoDaEscuta = ({ listeningOrigin }: FastifyInstance): string =>
  listeningOrigin.replace('//0.0.0.0:', '//127.0.0.1:').replace('//[::]:', '//[::1]:')
