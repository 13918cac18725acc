import fc from 'fast-check'

/** A throw of dice: an integer from 0 to below `faces`. */
type Dado = (faces: number) => number
type Ruido = (text: string, dado: Dado) => string

/** The same seed throws the same dice, so that a counter-example can be played again. */
function dadoOf(seed: number): Dado {
  let state = seed >>> 0
  return (faces) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return Math.floor((state / 2 ** 32) * faces)
  }
}

const spaced = (text: string): string => [...text].join(' ')
const chance = (dado: Dado, of: number): boolean => dado(of) === 0

const layouts: readonly Ruido[] = [
  (text) => text,
  (text) => text.replace(/\n/g, ' '),
  (text) => text.replace(/\n/g, '\r\n'),
  (text) => text.replace(/\s+/g, '\n'),
  (text, dado) => text.replace(/\s/g, () => (chance(dado, 3) ? '\n' : ' ')),
  (text) => text.replace(/ /g, '   '),
]

const espacos: readonly Ruido[] = [
  (text) => text,
  (text) => text,
  // The titles, the whole paper with its gaps, each word alone, and all with one distance.
  (text) => text.replace(/^[^a-z]{6,}$/gm, spaced),
  spaced,
  (text, dado) => text.replace(/\p{L}{4,}/gu, (word) => (chance(dado, 2) ? spaced(word) : word)),
  (text) =>
    text
      .split('\n')
      .map((line) => spaced(line.replace(/ /g, '')))
      .join('\n'),
]

const hifens: readonly Ruido[] = [
  (text) => text,
  (text, dado) => divided(text, dado, '-\n'),
  (text, dado) => divided(text, dado, '- '),
  (text, dado) => divided(text, dado, '\xad\n'),
]

const divided = (text: string, dado: Dado, mark: string): string =>
  text.replace(/\p{L}{5,}/gu, (word) => {
    const at = 2 + dado(word.length - 3)
    return chance(dado, 2) ? word.slice(0, at) + mark + word.slice(at) : word
  })

const sprinkled =
  (mark: string, of: number): Ruido =>
  (text, dado) =>
    text.replace(/(?<=\S)(?=\S)/g, () => (chance(dado, of) ? mark : ''))

const sinais: readonly Ruido[] = [
  (text) => text,
  (text, dado) => text.replace(/ /g, () => (chance(dado, 2) ? '\xa0' : ' ')),
  sprinkled('\u200b', 3),
  sprinkled('\u2060', 4),
  sprinkled('\ufeff', 6),
  sprinkled('\xad', 3),
]

const bytes: readonly Ruido[] = [
  (text) => text,
  (text) => text.normalize('NFD'),
  (text) => Buffer.from(text).toString('latin1'),
  (text) => new TextDecoder('windows-1252').decode(Buffer.from(text)),
  (text) => text.toUpperCase(),
]

/** Layout noise: one of each kind, in the order in which a paper gets them. Its text names the changes. */
export const ruido: fc.Arbitrary<(text: string) => string> = fc
  .tuple(
    ...[hifens, espacos, layouts, sinais, bytes].map((kind) => fc.nat({ max: kind.length - 1 })),
    fc.nat(),
  )
  .map(([hifen = 0, espaco = 0, layout = 0, sinal = 0, byte = 0, seed = 0]) => {
    const dado = dadoOf(seed)
    // Spaced letters are not also divided at the end of a line, with a hyphen or without.
    const isSpaced = espaco > 1
    const chosen = [
      hifens[isSpaced ? 0 : hifen],
      espacos[espaco],
      layouts[isSpaced ? layout % 4 : layout],
      sinais[sinal],
      bytes[byte],
    ]
    return (text: string) => chosen.reduce((noisy, noise) => noise?.(noisy, dado) ?? noisy, text)
  })
