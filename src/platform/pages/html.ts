/** What a hole takes: HTML between elements, text alone, or an address that is the whole of its attribute. */
export type Hole = 'html' | 'text' | 'address'

/** Where the reading of a template stands. */
type State =
  | { in: 'content' }
  /** The content of `<title>` or `<textarea>`, which holds no elements. */
  | { in: 'words'; name: string }
  | { in: 'tag'; name: string }
  | { in: 'value'; name: string; attribute: string; quote: string; isEmpty: boolean }

type Step = { state: State; rest: string }

const known = new WeakMap<TemplateStringsArray, readonly Hole[]>()

/**
 * What each hole of a template takes; its fixed parts are read once. Throws for a hole where escaping does
 * not help, and for markup that the policy of our pages forbids or that is not read in one way alone.
 */
export function readHoles(strings: TemplateStringsArray): readonly Hole[] {
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

/** Code, or addresses in a form of its own. */
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

/** Reads up to the end of an end tag, or up to the attributes of a start tag. */
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

/** Reads one attribute up to its value, or the end of the tag. */
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
