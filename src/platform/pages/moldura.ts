import { hash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import type { FastifyInstance, FastifyReply, FastifyRequest, onRequestHookHandler } from 'fastify'
import { LRUCache } from 'lru-cache'
import { cadastroDe } from '../config/config.ts'
import { ApiError } from '../errors.ts'
import { type Prepared, prepare, sendReady, serveStatic } from '../http/ready.ts'
import type { Platform } from '../platform.ts'
import { type MolduraDoSite, marca } from './layout.ts'

/** A file that pages load. Its address has its hash, so that a browser may keep it for ever. */
type Estatico = { caminho: string; tipo: string; texto: string }

const HERE = new URL('./', import.meta.url)

const estatico = (nome: string, extensao: string, { tipo, texto }: Omit<Estatico, 'caminho'>): Estatico => ({
  caminho: `/estatico/${nome}.${hash('sha256', texto, 'base64url').slice(0, 10)}.${extensao}`,
  tipo,
  texto,
})

const shortenCss = (css: string): string => css.replace(/\/\*.*?\*\//gs, '').replace(/^\s+/gm, '')

function readEstilo(): string {
  const folder = new URL('estilo/', HERE)
  const files = readdirSync(folder).filter((name) => name.endsWith('.css'))
  return shortenCss(
    files
      .sort()
      .map((name) => readLocal(`estilo/${name}`))
      .join(''),
  )
}

const readLocal = (path: string): string => readFileSync(new URL(path, HERE), 'utf8')

const desenhoDaMarca = String(marca)
  .replace('<svg ', '<svg xmlns="http://www.w3.org/2000/svg" ')
  .replace('<path ', '<path fill="#0b6e4f" ')

export const estaticos = {
  estilo: estatico('estilo', 'css', { tipo: 'text/css', texto: readEstilo() }),
  moldura: estatico('moldura', 'js', { tipo: 'text/javascript', texto: readLocal('estatico/moldura.js') }),
  sefaz: estatico('sefaz', 'js', { tipo: 'text/javascript', texto: readLocal('estatico/sefaz.js') }),
  rejeicoes: estatico('rejeicoes', 'js', {
    tipo: 'text/javascript',
    texto: readLocal('estatico/rejeicoes.js'),
  }),
  guia: estatico('guia', 'js', { tipo: 'text/javascript', texto: readLocal('estatico/guia.js') }),
  inicio: estatico('inicio', 'js', { tipo: 'text/javascript', texto: readLocal('estatico/inicio.js') }),
  comecar: estatico('comecar', 'js', { tipo: 'text/javascript', texto: readLocal('estatico/comecar.js') }),
  consultar: estatico('consultar', 'js', {
    tipo: 'text/javascript',
    texto: readLocal('estatico/consultar.js'),
  }),
  dossie: estatico('dossie', 'js', { tipo: 'text/javascript', texto: readLocal('estatico/dossie.js') }),
  referencia: estatico('referencia', 'js', {
    tipo: 'text/javascript',
    texto: readLocal('estatico/referencia.js'),
  }),
  icone: estatico('icone', 'svg', { tipo: 'image/svg+xml', texto: desenhoDaMarca }),
} as const

export function serveEstaticos(app: FastifyInstance): void {
  const headers = {
    'cache-control': 'public, max-age=31536000, immutable',
    'cross-origin-resource-policy': 'same-origin',
  }
  for (const { caminho, tipo, texto } of Object.values(estaticos))
    serveStatic(app, caminho.slice(app.prefix.length), { type: tipo, headers, make: () => texto })
}

export const molduraDe = ({ config, ambiente }: Platform): MolduraDoSite => ({
  // A proxy may serve us under a path of its own, which our routes do not have.
  prefixo: config.PUBLIC_URL ? new URL(config.PUBLIC_URL).pathname.replace(/\/$/, '') : '',
  publico: config.PUBLIC_URL?.replace(/\/$/, ''),
  estilo: estaticos.estilo.caminho,
  icone: estaticos.icone.caminho,
  modulo: estaticos.moldura.caminho,
  simulador: ambiente === 'simulador',
  contato: config.CONTATO,
  cadastro: cadastroDe(config) !== 'fechado',
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
