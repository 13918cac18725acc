import { createRequire } from 'node:module'
import type { TipoDocumento } from '../documento/documento.ts'
import type { Ambito } from '../documento/uf.ts'
import {
  type CodigoDaFalha,
  codeOf,
  RotaNaoAtende,
  type Source,
  SourceError,
  type SourceErrorKind,
} from '../platform/wire/fonte.ts'
import type { Ask } from '../platform/wire/http.ts'
import { type Captcha, openTokens, VENCIDO } from './captcha.ts'
import { type Desfecho, failureOf, findFirewall } from './desfecho.ts'
import type { Meios } from './estado.ts'
import { isPdf, normalize, openPagina, type Pagina, PaginaExcessiva, textosOf } from './pagina.ts'
import { findRecusa } from './rules-certidao.ts'

/** Fields of a form: a later one of the same name takes the place of an earlier one. */
export type Campos = Readonly<Record<string, string>>

/** Encodes a form as a browser does, in the charset of its page. */
export function encodeForm(campos: Campos, charset = 'utf-8'): string {
  return Object.entries(campos)
    .map(([name, value]) => `${encodeText(name, charset)}=${encodeText(value, charset)}`)
    .join('&')
}

function encodeText(text: string, charset: string): string {
  if (charset === 'utf-8') return encodeURIComponent(text).replaceAll('%20', '+')
  return [...Buffer.from(text, 'latin1')].map(encodeByte).join('')
}

/** The rule is application/x-www-form-urlencoded (WHATWG URL, 5.2). */
function encodeByte(byte: number): string {
  const char = String.fromCharCode(byte)
  if (/[A-Za-z0-9*._-]/.test(char)) return char
  return char === ' ' ? '+' : `%${byte.toString(16).toUpperCase().padStart(2, '0')}`
}

/** How one request of a portal departs from the usual. */
export type Modo = {
  headers?: Record<string, string>
  /** How many redirects to follow: 5 if left out, 0 if the redirect itself is the answer. */
  redirects?: number
  anyStatus?: true
  /** Tells a file from a page. A file is not read as a page, so it may have any number of tags. */
  isArquivo?: (pagina: Pagina) => boolean
}

/** A failure of a portal; `why` follows the portal's name: "mudou de página: falta o formulário". */
export type Failure = (
  kind: SourceErrorKind,
  why: string,
  details?: { codigo?: CodigoDaFalha; unavailable?: boolean; status?: number; retryS?: number | undefined },
) => SourceError

/** It keeps the cookies, the charset, the page before as `Referer`, and one deadline for all requests. */
export type Portal = {
  uf: Ambito
  source: Source
  meios: Omit<Meios, 'certificado' | 'ambiente'>
  captcha: Captcha
  /** The last page that came, images aside. */
  ultima: () => Pagina | undefined
  /** Addresses may be relative to the page before. */
  get: (url: string, modo?: Modo) => Promise<Pagina>
  post: (url: string, campos: Campos, modo?: Modo) => Promise<Pagina>
  postJson: (url: string, value: unknown, modo?: Modo) => Promise<Pagina>
  /** The texts (CSS) that no page before the question had: the answer, without headings and feet. */
  novidades: (pagina: Pagina, seletor?: string) => string[]
  /** Remembers when a captcha's token was made. A form with a token that is too old is not sent. */
  holdToken: (token: string, since: Date) => void
  leftMs: () => number
  failure: Failure
  /** The failure that an outcome means (`failureOf`). `tipo` is of the document that was asked about. */
  fail: (desfecho: Exclude<Desfecho, 'nao-encontrado'>, tipo?: TipoDocumento) => Error
}

export type Visita = {
  uf: Ambito
  source: Source
  url: string
  /** The charset of its pages and forms. If left out, each page tells its own; many do not. */
  charset?: string
  captcha: Captcha
}

const CAPTCHA =
  '[data-sitekey], .g-recaptcha, .cf-turnstile, [component=captcha], input[name*=captcha i], img[src*=captcha i]'

/** The refusals that any page may have. A page refuses a document only if it was asked about one. */
const recusas = [
  'bloqueado',
  'captcha',
  'captcha-errado',
  'documento-invalido',
  'fechado',
  'indisponivel',
  'sessao-expirada',
] as const

/** Throws a refusal that any state may show, an unusual captcha, or else SourceError `parse`. */
export function failUnknown(portal: Portal, pagina: Pagina, falta: string, tipo?: TipoDocumento): never {
  throwRecusa(portal, pagina, tipo)
  const { captcha, failure } = portal
  const usual = captcha !== 'nenhum' && captcha.quando === 'sempre'
  if (!usual && pagina.html()(CAPTCHA).length > 0) throw portal.fail('captcha')
  throw failure('parse', `mudou de página: ${falta}`)
}

/** Throws the refusal of a page, if it shows one. */
export const throwRecusa = (portal: Portal, pagina: Pagina, tipo?: TipoDocumento): void =>
  throwDito(portal, portal.novidades(pagina).join(' '), tipo)

export function throwDito(portal: Portal, words: string, tipo?: TipoDocumento): void {
  const said = findRecusa(words)
  const recusa = recusas.find((one) => one === said)
  if (recusa && (tipo || recusa !== 'documento-invalido')) throw portal.fail(recusa, tipo)
}

/** Words (as `normalize` gives them), a part of the address, a selector. If several, all must match. */
export type Frase = { desfecho: Desfecho } & Marcas &
  ({ texto: string } | { url: string } | { seletor: string })

type Marcas = { texto?: string; url?: string; seletor?: string }

const comuns: readonly Frase[] = [
  { desfecho: 'nao-encontrado', texto: 'Nenhum resultado encontrado' },
  { desfecho: 'nao-encontrado', texto: 'Nenhum registro encontrado' },
]

/** The state's own marks come before those of all. */
export const findFrase = (
  portal: Portal,
  pagina: Pagina,
  proprias: readonly Frase[] = [],
): Frase | undefined => [...proprias, ...comuns].find((frase) => carries(portal, pagina, frase))

const carries = (portal: Portal, pagina: Pagina, { texto, url, seletor }: Frase): boolean =>
  (texto === undefined || normalize(portal.novidades(pagina).join(' ')).includes(normalize(texto))) &&
  (url === undefined || `${pagina.url} ${pagina.location}`.includes(url)) &&
  (seletor === undefined || pagina.html()(seletor).length > 0)

type History = {
  /** Keeps a page that came, in the order of the visit. `asked`: a form was sent for it. */
  keep: (pagina: Pagina, asked: boolean) => void
  last: () => Pagina | undefined
  novidades: (pagina: Pagina, seletor?: string) => string[]
}

function openHistory(): History {
  const antes: Pagina[] = []
  let last: Pagina | undefined
  let wasAsked = false
  return {
    keep: (pagina, asked) => {
      wasAsked ||= asked
      if (!wasAsked) antes.push(pagina)
      last = pagina
    },
    last: () => last,
    novidades: (pagina, seletor) => {
      if (isPdf(pagina)) return []
      const at = antes.indexOf(pagina)
      const known = new Set(
        (at < 0 ? antes : antes.slice(0, at)).flatMap((one) => [...textosIn(one), ...textosIn(one, seletor)]),
      )
      return textosIn(pagina, seletor).filter((text) => !known.has(text))
    },
  }
}

const textosIn = (pagina: Pagina, seletor?: string): string[] =>
  textosOf(seletor ? pagina.html()(seletor).contents() : pagina.html().root())

/** Words of a portal that is down. They count only on a page with an error status. */
const outages =
  /NO MOMENTO NAO PODEMOS ATENDER A SUA SOLICITACAO|SISTEMA EM MANUTENCAO|SISTEMA INDISPONIVEL|SERVICO TEMPORARIAMENTE INDISPONIVEL|SERVICE UNAVAILABLE/

/** A page that turns us away, or says that the portal is down. `anyStatus`: any other page passes. */
export function refuseKnown(pagina: Pagina, failure: Failure, anyStatus = false): void {
  const { status, retryAfterS: retryS } = pagina
  if (status < 300 && (isPdf(pagina) || !isText(pagina))) return
  const [unseen, seen] = isText(pagina) && readable(pagina) ? [unseenOf(pagina), pagina.words()] : ['', '']
  const refusal = findFirewall(seen, unseen)
  if (refusal) throw failure('blocked', refusal.texto, { codigo: refusal.codigo, status, retryS })
  if (status < 400) return
  if (outages.test(`${unseen} ${seen}`))
    throw failure('http', 'diz que está fora do ar', { unavailable: true, status, retryS })
  if (anyStatus) return
  if (status === 403) throw failure('blocked', 'recusou a consulta (HTTP 403)', { status })
  throw failure('http', `respondeu com erro (HTTP ${status})`, { status, retryS })
}

/** Some firewalls say who they are in the title ("Just a moment...") or in `noscript` alone. */
const unseenOf = (pagina: Pagina): string => {
  const $ = pagina.html()
  return normalize(`${$('head title').first().text()} ${$('noscript').text()}`)
}

const isText = ({ media }: Pagina): boolean => media === '' || /^text\/|html|xml/.test(media)

/** Whether the text can be decoded. An error page may be in any charset; its status tells enough. */
function readable(pagina: Pagina): boolean {
  if (pagina.status < 400) return true
  try {
    pagina.text()
    return true
  } catch {
    return false
  }
}

const require = createRequire(import.meta.url)

/** The headers of a browser that these pages look at. */
const HEADERS = {
  accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8',
  'accept-language': 'pt-BR,pt;q=0.9',
}

/** Every failure is a SourceError. A page that turns us away is one too. */
function openPortal(visita: Visita, meios: Portal['meios']): Portal {
  const { uf, source, captcha } = visita
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

type Request = Pick<Ask, 'method' | 'url' | 'body'>

type Sender = { send: (request: Request, type: string, modo: Modo) => Promise<Pagina>; charset: () => string }

type Parts = {
  visita: Visita
  meios: Portal['meios']
  history: History
  leftMs: () => number
  failure: Failure
}

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

/** The portal's own host, or one of the same government: no document goes to anybody else. */
function boundsOf({ uf, url }: Visita): (to: URL) => boolean {
  const own = new URL(url).host
  const kin = uf === 'BR' ? '.fazenda.gov.br' : `.${uf.toLowerCase()}.gov.br`
  return ({ host, hostname, protocol }) =>
    /^https?:$/.test(protocol) && (host === own || hostname.endsWith(kin))
}

const charsetOf = (contentType: string): 'utf-8' | 'iso-8859-1' =>
  /charset\s*=\s*["']?(?:iso-8859-1|windows-1252|latin1)\b/i.test(contentType) ? 'iso-8859-1' : 'utf-8'

/** How many sessions are opened in all when the page refuses the captcha's answer. */
const CAPTCHA_TRIES = 3

/** If the captcha's answer was wrong or too old, the visit begins anew while there is time. */
export async function visit<R>(
  visita: Visita,
  meios: Portal['meios'],
  ask: (portal: Portal) => Promise<R>,
): Promise<R> {
  const ends = performance.now() + meios.deadlineMs
  for (let tries = 1; ; tries++) {
    const portal = openPortal(visita, { ...meios, deadlineMs: ends - performance.now() })
    try {
      return await ask(portal)
    } catch (error) {
      if (!wantsAnother(error) || tries === CAPTCHA_TRIES || performance.now() >= ends)
        throw trapped(error, portal)
    }
  }
}

const wantsAnother = (error: unknown): boolean =>
  error instanceof SourceError
    ? error.codigo === 'captcha-errado'
    : error instanceof RotaNaoAtende && error.codigo === VENCIDO

/** A page that broke our reader, with an invalid address or too many elements, is a failure. */
function trapped(error: unknown, { failure }: Portal): unknown {
  if (codeOf(error) === 'ERR_INVALID_URL')
    return failure('parse', 'mudou de página: traz um endereço inválido')
  return error instanceof PaginaExcessiva ? failure('parse', error.message) : error
}
