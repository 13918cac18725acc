/** Where the reading of a template stands between two of its holes. */
type State =
  | { in: 'text' }
  | { in: 'comment' }
  /** The content of `<script>` or `<style>`, up to its end tag. */
  | { in: 'raw'; name: string }
  | { in: 'tag'; name: string }
  | { in: 'value'; name: string; attribute: string; quote: '"' | "'"; empty: boolean }

const checked = new WeakMap<TemplateStringsArray, ReadonlySet<number>>()

/**
 * Reads the fixed parts of a template, once each. Throws for a hole where escaping does not help; gives the
 * holes that begin an address.
 */
export function checkHoles(strings: TemplateStringsArray): ReadonlySet<number> {
  const known = checked.get(strings)
  if (known) return known
  const atStart = new Set<number>()
  let state: State = { in: 'text' }
  for (const [at, part] of strings.entries()) {
    state = readPart(part, state)
    if (at === strings.length - 1) break
    const problem = problemOf(state)
    if (problem) throw new Error(`a hole ${problem}: ${part.slice(-60)}`)
    if (state.in === 'value') {
      if (state.empty && ADDRESSES.has(state.attribute)) atStart.add(at)
      state = { ...state, empty: false }
    }
  }
  checked.set(strings, atStart)
  return atStart
}

const ADDRESSES = new Set(['href', 'src', 'action', 'formaction', 'poster', 'data', 'xlink:href'])

/** Why no value may stand here. */
function problemOf(state: State): string | undefined {
  if (state.in === 'text') return undefined
  if (state.in !== 'value') return `in ${state.in === 'raw' ? `<${state.name}>` : `a ${state.in}`}`
  const { attribute } = state
  const isCode = attribute.startsWith('on') || ['style', 'srcdoc', 'srcset'].includes(attribute)
  return isCode ? `in the attribute ${attribute}` : undefined
}

function readPart(part: string, from: State): State {
  let state = from
  let rest = part
  while (rest !== '') {
    const step = steps[state.in](rest, state)
    state = step.state
    rest = step.rest
  }
  return state
}

type Step = { state: State; rest: string }

const steps: Record<State['in'], (rest: string, state: State) => Step> = {
  text: readText,
  comment: (rest, state) => skipTo('-->', rest, state),
  raw: (rest, state) => skipTo(`</${'name' in state ? state.name : ''}`, rest, state),
  tag: readTag,
  value: readValue,
}

/** Goes on after a mark, or stays as it is where the part ends before it. */
function skipTo(mark: string, rest: string, state: State): Step {
  const at = rest.toLowerCase().indexOf(mark)
  return at < 0 ? { state, rest: '' } : { state: { in: 'text' }, rest: rest.slice(at + mark.length) }
}

function readText(rest: string): Step {
  const at = rest.indexOf('<')
  if (at < 0) return { state: { in: 'text' }, rest: '' }
  const found = rest.slice(at)
  if (found.startsWith('<!--')) return { state: { in: 'comment' }, rest: found.slice(4) }
  const [tag = '<', name = ''] = /^<[/!]?([a-zA-Z][\w-]*)?/.exec(found) ?? []
  return {
    state: { in: 'tag', name: tag.startsWith('</') ? '' : name.toLowerCase() },
    rest: found.slice(tag.length),
  }
}

/** Reads one attribute, or the end of the tag. What it cannot read is a mistake of the template. */
function readTag(rest: string, state: State): Step {
  const name = 'name' in state ? state.name : ''
  const end = /^\s*\/?>/.exec(rest)
  if (end) {
    const isRaw = name === 'script' || name === 'style'
    return { state: isRaw ? { in: 'raw', name } : { in: 'text' }, rest: rest.slice(end[0].length) }
  }
  const found = /^\s*([^\s"'<>/=]+)(?:\s*=\s*(["']?))?/.exec(rest)
  if (!found) {
    if (rest.trim() === '') return { state, rest: '' }
    throw new Error(`a tag that cannot be read: ${rest.slice(0, 60)}`)
  }
  const [whole, attribute = '', quote] = found
  const after = rest.slice(whole.length)
  if (quote === '"' || quote === "'")
    return {
      state: { in: 'value', name, attribute: attribute.toLowerCase(), quote, empty: true },
      rest: after,
    }
  if (quote === '') throw new Error(`an attribute without quotes: ${attribute}`)
  return { state, rest: after }
}

function readValue(rest: string, state: State): Step {
  if (state.in !== 'value') throw new Error('not in a value')
  const at = rest.indexOf(state.quote)
  if (at < 0) return { state: { ...state, empty: false }, rest: '' }
  return { state: { in: 'tag', name: state.name }, rest: rest.slice(at + 1) }
}
