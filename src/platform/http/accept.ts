/** Whether a client prefers a stream of events to JSON. */
export const prefersEventStream = (accept: string | undefined): boolean =>
  prefers(accept, 'text/event-stream', 'application/json')

/** Whether a client prefers a page to JSON, as a browser does where somebody has opened an address. */
export const prefersPage = (accept: string | undefined): boolean =>
  prefers(accept, 'text/html', 'application/json')

/** Whether a client prefers Markdown to a page. */
export const prefersMarkdown = (accept: string | undefined): boolean =>
  prefers(accept, 'text/markdown', 'text/html')

/**
 * Whether a client prefers a type to the usual one. The most exact range for a type counts (RFC 9110,
 * 12.5.1); at equal weight the type wins if it is named and the usual one is not.
 */
function prefers(accept: string | undefined, type: string, usual: string): boolean {
  // What nearly every client sends.
  if (accept === undefined || accept === '*/*') return false
  const ranges = accept.split(',').map(parseRange)
  const [asked, other] = [findRange(ranges, type), findRange(ranges, usual)]
  return asked.q > other.q || (asked.q > 0 && asked.q === other.q && asked.exact && !other.exact)
}

type Range = { type: string; q: number }

function parseRange(text: string): Range {
  const [type = '', ...parameters] = text.split(';').map((part) => part.trim().toLowerCase())
  const weight = parameters.find((parameter) => parameter.startsWith('q='))
  const q = weight === undefined ? 1 : Number(weight.slice(2))
  return { type, q: q >= 0 && q <= 1 ? q : 0 }
}

function findRange(ranges: readonly Range[], type: string): { q: number; exact: boolean } {
  const family = `${type.split('/')[0]}/*`
  for (const name of [type, family, '*/*']) {
    const range = ranges.find((candidate) => candidate.type === name)
    if (range) return { q: range.q, exact: name === type }
  }
  return { q: 0, exact: false }
}
