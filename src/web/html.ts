import { checkHoles } from './holes.ts'

/** A piece of HTML that is safe as it stands: written by `html`, or by hand in this folder. */
export class Html {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }

  toString(): string {
    return this.text
  }
}

/** An address of this host, or of the web: what `href` may hold from its first letter on. */
export class Url {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

/** What may stand in a hole. Nothing is written for `undefined` and `false`. */
export type Content = string | number | Html | Url | undefined | false | readonly Content[]

/**
 * Writes HTML; values are escaped, unless they are Html. Throws at the first use of a template with a hole
 * where escaping does not help: in a tag, a script, a style, an event or an attribute without quotes.
 */
export function html(strings: TemplateStringsArray, ...values: readonly Content[]): Html {
  const atStart = checkHoles(strings)
  let text = strings[0] ?? ''
  for (const [at, value] of values.entries()) {
    if (atStart.has(at) && !(value instanceof Url)) throw new Error('an address wants url() in its place')
    text += write(value) + (strings[at + 1] ?? '')
  }
  return new Html(text)
}

function write(value: Content): string {
  if (value instanceof Html) return value.text
  if (value instanceof Url) return escapeHtml(value.text)
  if (typeof value === 'object') return value.map(write).join('')
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

/** An address that begins with `/`, `#`, `?` or http(s). Throws for others: `javascript:`, `//host`. */
export function url(text: string): Url {
  if (!/^(?:https?:\/\/|[#?]|\/(?![/\\]))/.test(text) || /[\0-\x20]/.test(text)) throw new Error('no address')
  return new Url(text)
}

/** Data for a script of ours to read: the content of `<script type="application/json">`. */
export const json = (data: unknown): Html =>
  new Html(`<script type="application/json">${JSON.stringify(data).replaceAll('<', '\\u003c')}</script>`)
