import { createRequire } from 'node:module'
import type { CheerioAPI } from 'cheerio/slim'
import type { ChildNode } from 'domhandler'
import { collapse, fold, legivel } from '../platform/texto.ts'
import { type Reply, retryAfterOf } from '../platform/wire/http.ts'

const require = createRequire(import.meta.url)

/** A text is larger than any page of a portal. The Portuguese message follows the authority's name. */
export class PaginaExcessiva extends Error {
  override readonly name = 'PaginaExcessiva'
}

/** A page of sixty registrations has a tenth of each of these. */
const MOST_CHARACTERS = 1024 * 1024
const MOST_NODES = 30_000
const MOST_ATTRIBUTES = 30_000
const MOST_PIECES = 60_000

/** The time of a selector grows with its square. A list of MG's 853 municipalities has 1,700 nodes. */
const MOST_SIBLINGS = 4_000

/** Old pages leave tags open and so become deep. The reader calls itself once for each level. */
const DEEPEST = 512

/** The reader takes some 4 MB, so the first page loads it. */
const openLeitor = () => {
  const { DomHandler }: typeof import('domhandler') = require('domhandler')
  const { Parser }: typeof import('htmlparser2') = require('htmlparser2')
  const cheerio: typeof import('cheerio/slim') = require('cheerio/slim')
  return { Limites: limitesOf(DomHandler), Parser, cheerio }
}

let leitor: ReturnType<typeof openLeitor> | undefined

/** Counts while the parser runs, so that nothing is built of a page that is too large. */
const limitesOf = (Handler: typeof import('domhandler').DomHandler) =>
  class Limites extends Handler {
    #nodes = 0
    #attributes = 0
    #pieces = 0

    protected override addNode(node: ChildNode): void {
      const siblings = this.tagStack.at(-1)?.children.length ?? 0
      if (++this.#nodes > MOST_NODES || siblings >= MOST_SIBLINGS)
        throw new PaginaExcessiva('enviou uma página com elementos demais')
      if (this.tagStack.length > DEEPEST) throw new PaginaExcessiva('enviou uma página aninhada demais')
      super.addNode(node)
    }

    override ontext(data: string): void {
      if (++this.#pieces > MOST_PIECES) throw new PaginaExcessiva('enviou uma página com textos demais')
      super.ontext(data)
    }

    onattribute(): void {
      if (++this.#attributes > MOST_ATTRIBUTES)
        throw new PaginaExcessiva('enviou uma página com atributos demais')
    }
  }

/** Throws PaginaExcessiva. A form inside a table keeps its fields, which HTML 5 would move out. */
export function parseHtml(text: string): CheerioAPI {
  if (text.length > MOST_CHARACTERS) throw new PaginaExcessiva('enviou uma página grande demais')
  leitor ??= openLeitor()
  const limites = new leitor.Limites()
  new leitor.Parser(limites).end(text)
  return leitor.cheerio.load(limites.root)
}

type Node = {
  type: string
  data?: string
  name?: string
  attribs?: Record<string, string>
  children?: readonly Node[]
}

/** Sixty registrations take 60,000 characters. Every comparison of words reads all of them. */
const MOST_TEXT = 128 * 1024

const UNSEEN = new Set(['script', 'style', 'noscript', 'template', 'title', 'option'])

/** Texts that wait for a script. ASP.NET draws "CNPJ inválido" so on every page with a validator. */
const HIDDEN = /display\s*:\s*none|visibility\s*:\s*hidden/i

/** The visible texts in order, and the values of text fields, in which some pages show results. */
export const textosOf = (selection: { toArray: () => readonly Node[] }): string[] =>
  trechosOf(selection).map(({ texto }) => texto)

/** A text and its place: its element, the element around it, and the column of a table. */
export type TextoDaPagina = { texto: string; lugar: string }

export function trechosOf(selection: { toArray: () => readonly Node[] }): TextoDaPagina[] {
  const trechos: TextoDaPagina[] = []
  let left = MOST_TEXT
  const add = (text: string, lugar: string): void => {
    left -= text.length
    if (left < 0) throw new PaginaExcessiva('enviou uma página com texto demais')
    const texto = legivel(text).replace(/\s+/g, ' ').trim()
    if (texto) trechos.push({ texto, lugar })
  }
  const walk = (nodes: readonly Node[], outer: string, inner: string): void => {
    let column = 0
    for (const node of nodes) {
      if (node.type === 'text') add(node.data ?? '', `${outer}>${inner}`)
      else if (!isShown(node)) continue
      else if (node.name === 'input') add(node.attribs?.value ?? '', `${inner}>input`)
      else {
        if (isCell(node)) column += 1
        walk(node.children ?? [], inner, placeOf(node, column))
      }
    }
  }
  walk(selection.toArray(), '', '')
  return trechos
}

const isCell = ({ name }: Node): boolean => name === 'td' || name === 'th'

const placeOf = (node: Node, column: number): string =>
  `${node.name ?? ''}.${node.attribs?.class ?? ''}${isCell(node) ? `[${column}]` : ''}`

function isShown({ name = '', attribs: { hidden, style = '', type = 'text' } = {} }: Node): boolean {
  if (UNSEEN.has(name) || hidden !== undefined || HIDDEN.test(style)) return false
  return name !== 'input' || type.toLowerCase() === 'text'
}

const BLOCOS = new Set(
  'address article blockquote br caption center dd div dl dt fieldset footer form h1 h2 h3 h4 h5 h6 header hr li main ol p pre section table tbody tfoot thead tr ul'.split(
    ' ',
  ),
)

/** The visible text, line by line. The cells of a row stand on one line. */
export function linhasOf(selection: { toArray: () => readonly Node[] }): string[] {
  let text = ''
  const walk = (nodes: readonly Node[]): void => {
    for (const node of nodes) {
      if (node.type === 'text') text += (node.data ?? '').replace(/\s+/g, ' ')
      else if (!isShown(node)) continue
      else if (node.name === 'input') text += ` ${node.attribs?.value ?? ''} `
      else {
        const edge = BLOCOS.has(node.name ?? '') ? '\n' : node.name === 'td' || node.name === 'th' ? ' ' : ''
        text += edge
        walk(node.children ?? [])
        text += edge
      }
    }
  }
  walk(selection.toArray())
  return text
    .split('\n')
    .map((line) => line.replace(/[\s\u00a0]+/g, ' ').trim())
    .filter(Boolean)
}

/** A page of a portal, or whatever it sent in the place of one. */
export type Pagina = {
  url: string
  status: number
  /** The address of a redirect that was not followed; else empty. */
  location: string
  /** Its media type in small letters, as the portal declares it. Many declare text/html for everything. */
  media: string
  body: Buffer
  retryAfterS: number | undefined
  elapsedMs: number
  /** Its text in the portal's charset. Throws SourceError `parse` for bytes that the charset lacks. */
  text: () => string
  html: () => CheerioAPI
  words: () => string
}

/** Without accents, capitals and runs of space: pages of one state differ in these from day to day. */
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

/** The media type is not believed: pages serve HTML as PDF, and PDF as octet-stream. */
export const isPdf = ({ body }: Pagina): boolean => body.subarray(0, 1024).includes('%PDF-')

/** It begins as a document and does not end as one. Its missing part is no empty field. */
export const isCutShort = (pagina: Pagina): boolean =>
  /<html\b/i.test(pagina.text()) && !/<\/(?:html|body)\s*>/i.test(pagina.text())

/** Undefined if it is no JSON. Throws SourceError `parse` for bytes that its charset lacks. */
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

export function textAt(json: unknown, path: string): string {
  const found = valueAt(json, path)
  return typeof found === 'string' || typeof found === 'number' ? String(found).trim() : ''
}

const memberOf = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined
