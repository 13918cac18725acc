/**
 * Whether a client prefers a stream of events to JSON. The most exact range for a type counts (RFC 9110,
 * 12.5.1); at equal weight the stream wins if it is named and JSON is not.
 */
export function prefersEventStream(accept: string | undefined): boolean {
  // What nearly every client sends.
  if (accept === undefined || accept === '*/*') return false
  const ranges = accept.split(',').map(parseRange)
  const [stream, json] = [findRange(ranges, 'text/event-stream'), findRange(ranges, 'application/json')]
  return stream.q > json.q || (stream.q > 0 && stream.q === json.q && stream.exact && !json.exact)
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
