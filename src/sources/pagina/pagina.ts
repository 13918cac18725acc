import type { CheerioAPI } from 'cheerio/slim'
import { collapse, fold } from '../../domain/texto/texto-plano.ts'
import type { Reply } from '../transport/http.ts'
import { parseHtml } from './html.ts'
import { textosOf } from './textos.ts'

/** A page of a portal, or whatever it sent in its place. */
export type Pagina = {
  /** After redirects. */
  url: string
  status: number
  /** Where it redirects to, when the redirect was not followed; else empty. */
  location: string
  /** Its media type in small letters, as the portal says: many say text/html of everything. */
  media: string
  body: Buffer
  elapsedMs: number
  /** In the portal's charset. Throws SourceError `parse` for bytes that it does not have. */
  text: () => string
  html: () => CheerioAPI
  /** The words on it, as `normalize` gives them. */
  words: () => string
}

/** Texts are compared without accents, capitals and runs of space: pages of one state differ in them from day to day. */
export const normalize = (text: string): string => fold(collapse(text))

/** Reads an answer as a page. Nothing is parsed before it is asked for. */
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
    elapsedMs,
    text: readText,
    html: readHtml,
    words: () => {
      words ??= normalize(textosOf(readHtml().root()).join(' '))
      return words
    },
  }
}

/** The same answer with another text: what a script would make of it. */
export function withText(pagina: Pagina, text: string): Pagina {
  let html: CheerioAPI | undefined
  const readHtml = (): CheerioAPI => {
    html ??= parseHtml(text)
    return html
  }
  const words = (): string => normalize(textosOf(readHtml().root()).join(' '))
  return { ...pagina, body: Buffer.from(text), text: () => text, html: readHtml, words }
}

/** Whether the bytes are a PDF, whatever the media type says: some pages serve HTML as PDF, and PDF as octet-stream. */
export const isPdf = ({ body }: Pagina): boolean => body.subarray(0, 1024).includes('%PDF-')

/** A page that began as a document and does not end as one: what is missing of it would be told as empty. */
export const isCutShort = (pagina: Pagina): boolean =>
  /<html\b/i.test(pagina.text()) && !/<\/(?:html|body)\s*>/i.test(pagina.text())
