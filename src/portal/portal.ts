import type { TipoDocumento } from '../documento/documento.ts'
import type { Ambito } from '../documento/uf.ts'
import type { CodigoDaFalha, Source, SourceError, SourceErrorKind } from '../platform/wire/fonte.ts'
import type { Campos } from './campos.ts'
import type { Captcha } from './captcha-captcha.ts'
import type { Desfecho } from './desfecho.ts'
import type { Meios } from './estado.ts'
import type { Pagina } from './pagina.ts'

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
