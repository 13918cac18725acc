import type { TipoDocumento } from '../documento/documento.ts'
import type { Ambito } from '../documento/uf.ts'
import type { CodigoDaFalha, Source, SourceError, SourceErrorKind } from '../platform/wire/fonte.ts'
import type { Captcha } from './captcha.ts'
import type { Desfecho } from './desfecho.ts'
import type { Meios } from './estado.ts'
import { normalize, type Pagina } from './pagina.ts'
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
  /** Gives the page also where its status is 400 or more. */
  anyStatus?: true
  /** Tells a file from a page. A file is not read as a page, so it may have any number of tags. */
  isArquivo?: (pagina: Pagina) => boolean
}

/** A failure of a portal; `why` follows the portal's name: "mudou de página: falta o formulário". */
export type Failure = (
  kind: SourceErrorKind,
  why: string,
  details?: {
    codigo?: CodigoDaFalha
    unavailable?: boolean
    status?: number
    retryS?: number | undefined
  },
) => SourceError

/**
 * One visit to the pages of a state or of the Union. It keeps the cookies, the charset, the page before as
 * `Referer`, and one deadline for all its requests.
 */
export type Portal = {
  uf: Ambito
  source: Source
  meios: MeiosDaVisita
  /** The captcha that its page may ask for. */
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
   * The texts of a page, or of some elements of it (CSS), that no page before the question had: the answer,
   * without headings, labels and feet. A named element may be hidden, because a script shows it.
   */
  novidades: (pagina: Pagina, seletor?: string) => string[]
  /** Remembers when a captcha's token was made. A form with a token that is too old is not sent. */
  holdToken: (token: string, since: Date) => void
  /** Milliseconds left for the visit. */
  leftMs: () => number
  failure: Failure
  /** The failure that an outcome means (`failureOf`). `tipo` is of the document that was asked about. */
  fail: (desfecho: Exclude<Desfecho, 'nao-encontrado'>, tipo?: TipoDocumento) => Error
}

/** What a visit is made with. */
export type MeiosDaVisita = Pick<Meios, 'http' | 'captcha' | 'now' | 'deadlineMs' | 'relato'>

/** How a portal is visited. */
export type Visita = {
  uf: Ambito
  source: Source
  url: string
  /** The charset of its pages and forms. If left out, each page tells its own; many do not. */
  charset?: string
  captcha: Captcha
  emHtml?: true
}

/** What the captchas of any site leave on a page. */
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

/**
 * Throws the failure that an unexpected page means: a refusal that any state may show, an unusual captcha, or
 * else SourceError `parse`, where `falta` says what is missing. `tipo` is of the document that was asked
 * about.
 */
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

/** Throws the refusal that these words say, if they say one. */
export function throwDito(portal: Portal, words: string, tipo?: TipoDocumento): void {
  const said = findRecusa(words)
  const recusa = recusas.find((one) => one === said)
  if (recusa && (tipo || recusa !== 'documento-invalido')) throw portal.fail(recusa, tipo)
}

/**
 * A mark of a page: words (compared as `normalize` gives them), a part of its address, or a selector. If it
 * has several, all must match.
 */
export type Frase = { desfecho: Desfecho } & Marcas &
  ({ texto: string } | { url: string } | { seletor: string })

type Marcas = { texto?: string; url?: string; seletor?: string }

/** Words that the registries of all states use. `findRecusa` knows why a page gives no answer at all. */
const comuns: readonly Frase[] = [
  { desfecho: 'nao-encontrado', texto: 'Nenhum resultado encontrado' },
  { desfecho: 'nao-encontrado', texto: 'Nenhum registro encontrado' },
]

/** The first of the marks that the page carries: the state's own, then those of all. */
export const findFrase = (
  portal: Portal,
  pagina: Pagina,
  proprias: readonly Frase[] = [],
): Frase | undefined => [...proprias, ...comuns].find((frase) => carries(portal, pagina, frase))

const carries = (portal: Portal, pagina: Pagina, { texto, url, seletor }: Frase): boolean =>
  (texto === undefined || normalize(portal.novidades(pagina).join(' ')).includes(normalize(texto))) &&
  (url === undefined || `${pagina.url} ${pagina.location}`.includes(url)) &&
  (seletor === undefined || pagina.html()(seletor).length > 0)
