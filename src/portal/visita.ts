import { createRequire } from 'node:module'
import { SourceError } from '../platform/wire/fonte.ts'
import type { Ask } from '../platform/wire/http.ts'
import { encodeForm } from './campos.ts'
import { failureOf } from './desfecho.ts'
import { type History, openHistory } from './history.ts'
import { openPagina, type Pagina } from './pagina.ts'
import type { Failure, MeiosDaVisita, Modo, Portal, Visita } from './portal.ts'
import { refuseKnown } from './recusa.ts'
import { openTokens } from './tokens.ts'

const require = createRequire(import.meta.url)

/** The headers of a browser that these pages look at. */
const HEADERS = {
  accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8',
  'accept-language': 'pt-BR,pt;q=0.9',
}

/**
 * Opens a visit. Every failure is a SourceError; a page that turns us away, in words that all states use, is
 * one too.
 */
export function openPortal(visita: Visita, meios: MeiosDaVisita): Portal {
  const { uf, source, captcha, emHtml = false } = visita
  const started = performance.now()
  const elapsedMs = (): number => Math.round(performance.now() - started)
  const leftMs = (): number => meios.deadlineMs - (performance.now() - started)
  const history = openHistory()
  const tokens = openTokens(source.nome, meios.now)
  const failure: Failure = (kind, why, details = {}) =>
    new SourceError(kind, `${source.nome} ${why}.`, { source: source.id, elapsedMs: elapsedMs(), ...details })
  const { send, charset } = createSender({ visita, meios, history, leftMs, failure })
  return {
    uf,
    source,
    meios,
    captcha,
    ultima: history.last,
    emHtml,
    holdToken: tokens.hold,
    leftMs,
    failure,
    fail: (desfecho, tipo = 'cnpj') => failureOf(desfecho, { source, elapsedMs: elapsedMs(), tipo }),
    novidades: history.novidades,
    get: (to, modo = {}) => send({ method: 'GET', url: to }, '', modo),
    post: (to, campos, modo = {}) => {
      tokens.refuseStale(Object.values(campos))
      const body = encodeForm(campos, charset())
      return send({ method: 'POST', url: to, body }, 'application/x-www-form-urlencoded', modo)
    },
    postJson: (to, value, modo = {}) =>
      send({ method: 'POST', url: to, body: JSON.stringify(value) }, 'application/json', modo),
  }
}

/** One request of a visit, before it is resolved and gets its headers. */
type Request = Pick<Ask, 'method' | 'url' | 'body'>

type Sender = {
  /** `type` is the media type of the body. */
  send: (request: Request, type: string, modo: Modo) => Promise<Pagina>
  /** The charset in which the last page wants its forms. */
  charset: () => string
}

type Parts = {
  visita: Visita
  meios: MeiosDaVisita
  history: History
  leftMs: () => number
  failure: Failure
}

/** Sends the requests of a visit as a browser would, and keeps the pages that come. */
function createSender({ visita, meios, history, leftMs, failure }: Parts): Sender {
  const { source, url, charset } = visita
  // The jar brings a list of all domains, 4 MB, so the first visit loads it.
  const { CookieJar }: typeof import('tough-cookie') = require('tough-cookie')
  const jar = new CookieJar(undefined, { rejectPublicSuffixes: false })
  const within = boundsOf(visita)
  const resolve = createResolver(within, failure)
  let written = charset ?? 'utf-8'
  return {
    charset: () => written,
    send: async (request, type, modo) => {
      const before = history.last()
      const target = resolve(request.url, before?.url ?? url)
      const reply = await meios.http.send({
        ...request,
        source,
        url: target.href,
        headers: headersOf(request, target, type, before, modo),
        jar,
        deadlineMs: Math.max(1, leftMs()),
        redirects: modo.redirects ?? 5,
        within,
        // Asking changes nothing there: a certificate issued twice is the same certificate.
        repeatable: true,
        ...(charset && { charset }),
      })
      const pagina = openPagina(reply)
      if (modo.isArquivo?.(pagina)) return pagina
      const isRedirect = pagina.status >= 300 && pagina.status < 400
      if (isRedirect && modo.redirects !== 0) resolve(pagina.location, pagina.url)
      // A browser's Referer is the page that shows the image.
      if (!pagina.media.startsWith('image/')) {
        history.keep(pagina, request.method === 'POST')
        written = charset ?? charsetOf(String(reply.headers['content-type'] ?? ''))
      }
      refuseKnown(pagina, failure, modo.anyStatus)
      return pagina
    },
  }
}

const headersOf = (
  { method }: Request,
  target: URL,
  type: string,
  before: Pagina | undefined,
  { headers }: Modo,
): Record<string, string> => ({
  ...HEADERS,
  ...(before && { referer: before.url }),
  ...(method === 'POST' && { 'content-type': type, origin: target.origin }),
  ...headers,
})

/** Resolves addresses that a page names. Throws SourceError `parse` for any that is not the portal's. */
const createResolver =
  (within: (to: URL) => boolean, failure: Failure) =>
  (address: string, base: string): URL => {
    const target = URL.canParse(address, base) ? new URL(address, base) : undefined
    if (target && within(target)) return target
    throw failure(
      'parse',
      `mudou de página: leva a um endereço que não é dela (${target?.host ?? 'inválido'})`,
    )
  }

/**
 * Whether a visit may go to an address: the portal's own host, or one of the same government. A page must not
 * send a document to anybody else, nor send us into the operator's network.
 */
function boundsOf({ uf, url }: Visita): (to: URL) => boolean {
  const own = new URL(url).host
  const kin = uf === 'BR' ? '.fazenda.gov.br' : `.${uf.toLowerCase()}.gov.br`
  return ({ host, hostname, protocol }) =>
    /^https?:$/.test(protocol) && (host === own || hostname.endsWith(kin))
}

/** The charset that a page declares, and so wants its forms in: ISO-8859-1 for all that is its kin. */
const charsetOf = (contentType: string): 'utf-8' | 'iso-8859-1' =>
  /charset\s*=\s*["']?(?:iso-8859-1|windows-1252|latin1)\b/i.test(contentType) ? 'iso-8859-1' : 'utf-8'
