import { type Hole, readHoles } from './html.ts'

export type { Html, Url }

/** A piece of HTML that is safe as it stands. Only this file makes one. */
class Html {
  readonly #text: string

  constructor(text: string) {
    this.#text = text
  }

  toString(): string {
    return this.#text
  }
}

/** An address of this host, or of the web. */
class Url {
  readonly #text: string

  constructor(text: string) {
    this.#text = text
  }

  toString(): string {
    return this.#text
  }
}

/** What may stand in a hole. Nothing is written for `undefined` and `false`. */
export type Content = string | number | Html | Url | undefined | false | readonly Content[]

/**
 * Writes HTML: a value is escaped, unless it is Html between elements. Throws at the first use of a template
 * that `readHoles` refuses, for Html in an attribute, and for an address that is not made by `url`.
 */
export function html(strings: TemplateStringsArray, ...values: readonly Content[]): Html {
  const holes = readHoles(strings)
  let text = strings[0] ?? ''
  for (const [at, value] of values.entries()) text += write(value, holes[at]) + (strings[at + 1] ?? '')
  return new Html(text)
}

function write(value: Content, hole: Hole | undefined): string {
  if (hole === 'address' && !(value instanceof Url)) throw new Error('an address wants url() in its place')
  if (value instanceof Url) return escapeHtml(String(value))
  if (value instanceof Html) {
    if (hole !== 'html') throw new Error('HTML where only text may stand')
    return String(value)
  }
  if (typeof value === 'object') return value.map((one) => write(one, hole)).join('')
  return value === undefined || value === false ? '' : escapeHtml(String(value))
}

const ESCAPED: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** Escapes a text for the inside of an element, or of an attribute in quotes. */
const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (char) => ESCAPED[char] ?? char)

/**
 * An address that begins with `/`, `#`, `?` or http(s). Throws for others, such as `javascript:` and
 * `//host`, and for a character that a browser would drop or read as a `/`.
 */
export function url(text: string): Url {
  const isKnown = /^(?:https?:\/\/[^/?#]|[#?]|\/(?!\/))/.test(text)
  if (!isKnown || /[\0-\x20\x7f-\x9f\\]/.test(text)) throw new Error('no address')
  return new Url(text)
}

/** Data for a script of ours to read: the content of `<script type="application/json">`. */
export const json = (data: unknown): Html => ilha('application/json', data)

/** What a search machine reads of a page: the content of `<script type="application/ld+json">`. */
export const jsonLd = (data: unknown): Html => ilha('application/ld+json', data)

/** Neither ends the script nor breaks a page that is read as XML. */
const ilha = (tipo: string, data: unknown): Html =>
  new Html(`<script type="${tipo}">${JSON.stringify(data).replace(/[<>&]/g, inJson)}</script>`)

const inJson = (char: string): string => `\\u00${char.charCodeAt(0).toString(16)}`
