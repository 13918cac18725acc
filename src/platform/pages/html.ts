/** What a hole takes: HTML between elements, text alone, or an address that is the whole of its attribute. */
type Hole = 'html' | 'text' | 'address'

type State =
  | { in: 'content' }
  | { in: 'words'; name: string }
  | { in: 'tag'; name: string }
  | { in: 'value'; name: string; attribute: string; quote: string; isEmpty: boolean }

type Step = { state: State; rest: string }

const known = new WeakMap<TemplateStringsArray, readonly Hole[]>()

/**
 * What each hole of a template takes; its fixed parts are read once. Throws for a hole where escaping does
 * not help, and for markup that the policy of our pages forbids or that is not read in one way alone.
 */
function readHoles(strings: TemplateStringsArray): readonly Hole[] {
  const found = known.get(strings)
  if (found) return found
  const holes: Hole[] = []
  let state: State = { in: 'content' }
  for (const [at, part] of strings.entries()) {
    state = readPart(part, state)
    if (at === strings.length - 1) break
    holes.push(holeIn(state, part, strings[at + 1] ?? ''))
    if (state.in === 'value') state = { ...state, isEmpty: false }
  }
  if (state.in !== 'content') throw mistake(`the template ends in a ${state.in}`, strings.at(-1) ?? '')
  known.set(strings, holes)
  return holes
}

function holeIn(state: State, before: string, after: string): Hole {
  if (/&[#\w]*$/.test(before)) throw mistake('a hole that could end an entity', before.slice(-60))
  if (state.in === 'content') return 'html'
  if (state.in === 'words') return 'text'
  if (state.in === 'tag') throw mistake('a hole in a tag', before.slice(-60))
  if (!ADDRESSES.has(state.attribute)) return 'text'
  if (state.isEmpty && after.startsWith(state.quote)) return 'address'
  throw mistake('a hole that is a part of an address', before.slice(-60))
}

const ADDRESSES: ReadonlySet<string> = new Set([
  'href',
  'src',
  'action',
  'formaction',
  'poster',
  'xlink:href',
])

/** The policy of our pages forbids most of them; the content of others is no text to a browser. */
const REFUSED_ELEMENTS: ReadonlySet<string> = new Set(
  'style base object embed applet iframe frame frameset noembed noframes plaintext xmp math animate set'.split(
    ' ',
  ),
)

const REFUSED_ATTRIBUTES =
  /^(?:on.*|style|srcdoc|srcset|imagesrcset|ping|http-equiv|data|background|manifest|cite|longdesc|xml:base)$/

function readPart(part: string, from: State): State {
  let step: Step = { state: from, rest: part }
  while (step.rest !== '') step = readOn(step)
  return step.state
}

function readOn({ state, rest }: Step): Step {
  if (state.in === 'content') return readContent(rest)
  if (state.in === 'words') return readWords(rest, state.name)
  return state.in === 'tag' ? readTag(rest, state.name) : readValue(rest, state)
}

function readContent(content: string): Step {
  const at = content.indexOf('<')
  const rest = at < 0 ? '' : content.slice(at)
  const end = /^(?:<\/[a-z][a-z0-9-]*\s*>|<!doctype html>)/i.exec(rest)
  if (end || rest === '') return { state: { in: 'content' }, rest: rest.slice(end?.[0].length) }
  const [tag = '', name = ''] = /^<([a-z][a-z0-9-]*)(?=[\s/>]|$)/i.exec(rest) ?? []
  if (tag === '') throw mistake('a "<" that begins no element', rest)
  if (REFUSED_ELEMENTS.has(name.toLowerCase())) throw mistake('an element that pages do not have', rest)
  return { state: { in: 'tag', name: name.toLowerCase() }, rest: rest.slice(tag.length) }
}

/** In an SVG these elements would hold others, so that no `<` may stand in them at all. */
function readWords(words: string, name: string): Step {
  const at = words.indexOf('<')
  if (at < 0) return { state: { in: 'words', name }, rest: '' }
  const [end] = new RegExp(`^</${name}\\s*>`, 'i').exec(words.slice(at)) ?? []
  if (end === undefined) throw mistake(`a "<" in <${name}>`, words.slice(at))
  return { state: { in: 'content' }, rest: words.slice(at + end.length) }
}

function readTag(tag: string, name: string): Step {
  const rest = tag.trimStart()
  const [end] = /^\/?>/.exec(rest) ?? []
  if (end) return readEndOfTag(rest.slice(end.length), name)
  if (rest === '') return { state: { in: 'tag', name }, rest }
  const [whole, attribute = '', quote] = /^([a-z][\w:.-]*)(?:\s*=\s*(["'])|(?=[\s/>]|$))/i.exec(rest) ?? []
  if (whole === undefined) throw mistake('an attribute without quotes, or a tag that cannot be read', rest)
  if (REFUSED_ATTRIBUTES.test(attribute.toLowerCase()))
    throw mistake('an attribute that pages do not have', rest)
  const after = rest.slice(whole.length)
  if (quote === undefined) return { state: { in: 'tag', name }, rest: after }
  const value: State = { in: 'value', name, attribute: attribute.toLowerCase(), quote, isEmpty: true }
  return { state: value, rest: after }
}

function readEndOfTag(rest: string, name: string): Step {
  if (name === 'script' && !/^<\/script\s*>/i.test(rest)) throw mistake('a script in the page', rest)
  const isWords = name === 'title' || name === 'textarea'
  return { state: isWords ? { in: 'words', name } : { in: 'content' }, rest }
}

function readValue(rest: string, state: State & { in: 'value' }): Step {
  const at = rest.indexOf(state.quote)
  if (at < 0) return { state: { ...state, isEmpty: false }, rest: '' }
  return { state: { in: 'tag', name: state.name }, rest: rest.slice(at + 1) }
}

const mistake = (what: string, where: string): Error => new Error(`${what}: ${where.slice(0, 80)}`)

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

class Url {
  readonly #text: string

  constructor(text: string) {
    this.#text = text
  }

  toString(): string {
    return this.#text
  }
}

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

/** HTML of a library from a file of this repository; only the guide has such (`test/house/html.test.ts`). */
export const fromLibrary = (text: string): Html => new Html(text)

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

export const json = (data: unknown): Html => ilha('application/json', data)

export const jsonLd = (data: unknown): Html => ilha('application/ld+json', data)

/** Neither ends the script nor breaks a page that is read as XML. */
const ilha = (tipo: string, data: unknown): Html =>
  new Html(`<script type="${tipo}">${JSON.stringify(data).replace(/[<>&]/g, inJson)}</script>`)

const inJson = (char: string): string => `\\u00${char.charCodeAt(0).toString(16)}`
