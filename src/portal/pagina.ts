import type { CheerioAPI } from 'cheerio/slim'
import { collapse, fold } from '../platform/texto.ts'
import { type Reply, retryAfterOf } from '../platform/wire/http.ts'
import { parseHtml, textosOf } from './html.ts'

/** A page of a portal, or whatever it sent in the place of one. */
export type Pagina = {
  /** Its address after redirects. */
  url: string
  status: number
  /** The address of a redirect that was not followed; else empty. */
  location: string
  /** Its media type in small letters, as the portal declares it. Many declare text/html for everything. */
  media: string
  body: Buffer
  /** The seconds of its own Retry-After, if it names any. */
  retryAfterS: number | undefined
  elapsedMs: number
  /** Its text in the portal's charset. Throws SourceError `parse` for bytes that the charset lacks. */
  text: () => string
  html: () => CheerioAPI
  /** Its words, as `normalize` gives them. */
  words: () => string
}

/**
 * Gives a text without accents, capitals and runs of space. Pages of one state differ in these from day to
 * day.
 */
export const normalize = (text: string): string => fold(collapse(text))

/** Reads an answer as a page. Nothing is parsed before it is needed. */
export function openPagina(reply: Reply): Pagina {
  const { url, status, headers, body, elapsedMs } = reply
  let text: string | undefined
  let html: CheerioAPI | undefined
  let words: string | undefined
  const readText = (): string => {
    text ??= reply.text()
    return text
  }
  const readHtml = (): CheerioAPI => {
    html ??= parseHtml(readText())
    return html
  }
  return {
    url,
    status,
    location: typeof headers.location === 'string' ? headers.location : '',
    media: (String(headers['content-type'] ?? '').split(';')[0] ?? '').trim().toLowerCase(),
    body,
    retryAfterS: retryAfterOf(reply),
    elapsedMs,
    text: readText,
    html: readHtml,
    words: () => {
      words ??= normalize(textosOf(readHtml().root()).join(' '))
      return words
    },
  }
}

/** The same answer with the text that a script would make of it. */
export function withText(pagina: Pagina, text: string): Pagina {
  let html: CheerioAPI | undefined
  const readHtml = (): CheerioAPI => {
    html ??= parseHtml(text)
    return html
  }
  const words = (): string => normalize(textosOf(readHtml().root()).join(' '))
  return { ...pagina, body: Buffer.from(text), text: () => text, html: readHtml, words }
}

/**
 * Whether the bytes are a PDF. The media type is not believed: pages serve HTML as PDF, and PDF as
 * octet-stream.
 */
export const isPdf = ({ body }: Pagina): boolean => body.subarray(0, 1024).includes('%PDF-')

/**
 * Whether a page begins as a document and does not end as one. Its missing part must not pass for empty
 * fields.
 */
export const isCutShort = (pagina: Pagina): boolean =>
  /<html\b/i.test(pagina.text()) && !/<\/(?:html|body)\s*>/i.test(pagina.text())

/**
 * Parses an answer as JSON, whatever its media type; undefined if it is none. Throws SourceError `parse` for
 * bytes that its charset lacks.
 */
export function parseJson(pagina: Pick<Pagina, 'text'>): unknown {
  try {
    return JSON.parse(pagina.text())
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

/** The value at a path such as `data.arquivo`. Undefined if there is none. */
export const valueAt = (json: unknown, path: string): unknown => path.split('.').reduce(memberOf, json)

/** The text or number at a path. Empty if there is none. */
export function textAt(json: unknown, path: string): string {
  const found = valueAt(json, path)
  return typeof found === 'string' || typeof found === 'number' ? String(found).trim() : ''
}

const memberOf = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined
