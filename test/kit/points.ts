import fc from 'fast-check'

const FIRST_HALF = 0xd800
const HALVES = 0x800
const LAST = 0x10ffff

/**
 * Any character but half of one: what `unit: 'binary'` of fast-check means, which makes a table of all of
 * them and keeps its 85 MB.
 */
export const anyPoint: fc.Arbitrary<string> = fc.integer({ min: 0, max: LAST - HALVES }).map(
  (at) => String.fromCodePoint(at < FIRST_HALF ? at : at + HALVES),
  (character) => {
    const point = typeof character === 'string' ? (character.codePointAt(0) ?? 0) : 0
    return point < FIRST_HALF ? point : point - HALVES
  },
)

const segment = fc
  .array(
    fc.oneof(
      { weight: 9, arbitrary: fc.string({ unit: fc.constantFrom(..."aZ09-._~!$&'()*+,;=:@") }) },
      { weight: 1, arbitrary: anyPoint.map(encodeURIComponent) },
    ),
  )
  .map((parts) => parts.join(''))

/** Any address of the web, as `webUrl` of fast-check, which holds that table too. */
export const anyWebUrl: fc.Arbitrary<string> = fc
  .tuple(fc.constantFrom('http', 'https'), fc.domain(), fc.array(segment))
  .map(([scheme, host, segments]) => `${scheme}://${[host, ...segments].join('/')}`)
