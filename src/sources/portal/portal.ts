import { CookieJar } from 'tough-cookie'
import { SourceError, type SourceErrorKind } from '../../domain/fonte/source-error.ts'
import type { Ambito } from '../../domain/uf.ts'
import type { Captcha } from '../captcha/captcha.ts'
import { openTokens } from '../captcha/tokens.ts'
import type { Meios } from '../estado.ts'
import { isPdf, openPagina, type Pagina } from '../pagina/pagina.ts'
import { textosOf } from '../pagina/textos.ts'
import type { Ask, Reply, Source } from '../transport/transport.ts'
import { type Campos, encodeForm } from './form.ts'
import { refuseKnown } from './recusa.ts'

/** What one request of a portal departs in. */
export type Modo = {
  headers?: Record<string, string>
  /** How many redirects to follow; 5 when left out, 0 where the redirect itself is the answer. */
  redirects?: number
  /** Gives the page also where its status is 400 or more. */
  anyStatus?: true
  /** Tells a file from a page: it is not looked at as one, and may have as many tags as it likes. */
  isArquivo?: (pagina: Pagina) => boolean
}

/** One visit to a page, a state's or a national one: its cookies, its charset, the page before as `Referer`, and one deadline for all its requests. */
export type Portal = {
  uf: Ambito
  source: Source
  meios: MeiosDaVisita
  /** What its page wants of who asks. */
  captcha: Captcha
  /** The last page that came, images aside. */
  ultima: () => Pagina | undefined
  /** Whether its certificates may come as a page of HTML. */
  emHtml: boolean
  /** Addresses may be relative to the page before. */
  get: (url: string, modo?: Modo) => Promise<Pagina>
  /** Sends a form, urlencoded in the portal's charset. */
  post: (url: string, campos: Campos, modo?: Modo) => Promise<Pagina>
  postJson: (url: string, value: unknown, modo?: Modo) => Promise<Pagina>
  /**
   * What a page says, as a whole or in some elements (CSS), that the pages before the question did not: the words of its
   * answer, without headings, labels of the form that comes back, hints and feet. An element that is named may itself be
   * hidden: a script shows it.
   */
  novidades: (pagina: Pagina, seletor?: string) => string[]
  /** Remembers when a captcha's token was made. A form with a token that is too old is not sent. */
  holdToken: (token: string, since: Date) => void
  /** Milliseconds left for the visit. */
  leftMs: () => number
  /** A failure of this portal; `why` follows its name: "mudou de página: falta o formulário". */
  failure: (
    kind: SourceErrorKind,
    why: string,
    details?: { codigo?: string; unavailable?: boolean },
  ) => SourceError
}

/** What a visit is made with. */
export type MeiosDaVisita = Pick<Meios, 'http' | 'captcha' | 'now' | 'deadlineMs' | 'relato'>

/** How a portal is visited. */
export type Visita = {
  uf: Ambito
  source: Source
  url: string
  /** What its pages are written in, and its forms are sent in: many do not say so. Left out, what each page says. */
  charset?: string
  captcha: Captcha
  emHtml?: true
}

/** What a browser says of itself that these pages look at. */
const HEADERS = {
  accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8',
  'accept-language': 'pt-BR,pt;q=0.9',
}

/** Opens a visit. Every failure is a SourceError; pages that turn us away in words that all states use are failures too. */
export function openPortal(visita: Visita, meios: MeiosDaVisita): Portal {
  const { uf, source, url, charset, captcha, emHtml = false } = visita
  const started = performance.now()
  const jar = new CookieJar(undefined, { rejectPublicSuffixes: false })
  let ultima: Pagina | undefined
  let written = charset ?? 'utf-8'
  /** The pages that came before the first form was sent. */
  const antes: Pagina[] = []
  let asked = false
  const leftMs = (): number => meios.deadlineMs - (performance.now() - started)
  const tokens = openTokens(source.nome, meios.now)
  // What a page names is no reason to send a document, or to be sent, to somebody else or into the operator's network.
  const own = new URL(url).host
  const kin = uf === 'BR' ? '.fazenda.gov.br' : `.${uf.toLowerCase()}.gov.br`
  const within = ({ host, hostname, protocol }: URL): boolean =>
    /^https?:$/.test(protocol) && (host === own || hostname.endsWith(kin))
  const failure: Portal['failure'] = (kind, why, details = {}) =>
    new SourceError(kind, `${source.nome} ${why}.`, {
      source: source.id,
      elapsedMs: Math.round(performance.now() - started),
      ...details,
    })

  /** An address that a page names. Throws SourceError `parse` for one that is none, or is not the portal's to name. */
  function resolve(address: string, base: string): URL {
    const target = URL.canParse(address, base) ? new URL(address, base) : undefined
    if (target && within(target)) return target
    throw failure(
      'parse',
      `mudou de página: leva a um endereço que não é dela (${target?.host ?? 'inválido'})`,
    )
  }

  async function send(ask: Pick<Ask, 'method' | 'url' | 'body'>, type: string, modo: Modo): Promise<Pagina> {
    const target = resolve(ask.url, ultima?.url ?? url)
    const headers = {
      ...HEADERS,
      ...(ultima && { referer: ultima.url }),
      ...(ask.method === 'POST' && { 'content-type': type, origin: target.origin }),
      ...modo.headers,
    }
    const reply = await meios.http.send({
      ...ask,
      source,
      url: target.href,
      headers,
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
      asked ||= ask.method === 'POST'
      if (!asked) antes.push(pagina)
      ultima = pagina
      written = charset ?? charsetOf(reply)
    }
    refuseKnown(pagina, failure, modo.anyStatus)
    return pagina
  }

  return {
    uf,
    source,
    meios,
    captcha,
    ultima: () => ultima,
    emHtml,
    holdToken: tokens.hold,
    leftMs,
    failure,
    novidades: (pagina, seletor) => novidadesOf(antes, pagina, seletor),
    get: (to, modo = {}) => send({ method: 'GET', url: to }, '', modo),
    post: (to, campos, modo = {}) => {
      tokens.refuseStale(Object.values(campos))
      const type = 'application/x-www-form-urlencoded'
      return send({ method: 'POST', url: to, body: encodeForm(campos, written) }, type, modo)
    },
    postJson: (to, value, modo = {}) =>
      send({ method: 'POST', url: to, body: JSON.stringify(value) }, 'application/json', modo),
  }
}

/** The texts of a page that no page before it had. */
function novidadesOf(antes: readonly Pagina[], pagina: Pagina, seletor?: string): string[] {
  if (isPdf(pagina)) return []
  const at = antes.indexOf(pagina)
  const known = new Set(
    (at < 0 ? antes : antes.slice(0, at)).flatMap((one) => [...textosIn(one), ...textosIn(one, seletor)]),
  )
  return textosIn(pagina, seletor).filter((text) => !known.has(text))
}

const textosIn = (pagina: Pagina, seletor?: string): string[] =>
  textosOf(seletor ? pagina.html()(seletor).contents() : pagina.html().root())

/** What a page says that it is written in, and so wants its forms written in; ISO-8859-1 for all that is its kin. */
const charsetOf = ({ headers }: Reply): 'utf-8' | 'iso-8859-1' =>
  /charset\s*=\s*["']?(?:iso-8859-1|windows-1252|latin1)\b/i.test(String(headers['content-type'] ?? ''))
    ? 'iso-8859-1'
    : 'utf-8'
