import { listFormat } from '../documento/formato.ts'
import type { Ambiente } from './wire/fonte.ts'

/**
 * The only normaliser of the authorities' texts, for pages and papers. One sentence may come with invisible
 * characters, UTF-8 read as Latin-1, spaced letters, or words divided at line ends.
 */

/** No paper and no message is longer. A longer text is a whole site or an attack, and stays as it came. */
const LONGEST = 200_000

/** Makes a text legible: no invisible characters, no mojibake, letters composed. Lines and spaces stay. */
export const legivel = (text: string): string =>
  text.length > LONGEST ? text.normalize('NFC') : withoutSoftHyphens(decoded(text))

/** Makes a text readable: legible, with letter-spaced and divided words joined. Lines stay. */
export function tidyText(text: string): string {
  if (text.length > LONGEST) return text.normalize('NFC')
  const lines = decoded(text)
    .replace(BREAK, '\n')
    .replace(/\xad(?!\s)/g, '')
  const joined = withoutHyphens(withoutSpacing(lines))
  // Joined words may bring the bytes of one letter together.
  return withoutSoftHyphens(decoded(joined))
}

export const onOneLine = (text: string): string => text.replace(/\s+/g, ' ').trim()

export const collapse = (text: string): string => onOneLine(tidyText(text))

/** With `º` for ordinals and `-` for dashes. A place in the result is the same place in `text`. */
export function fold(text: string): string {
  const plain = text.replace(/[^\0-\x7f]/g, plainOf)
  const capitals = plain.toUpperCase()
  // Such letters (`ß`) have two capitals.
  return capitals.length === plain.length ? capitals : plain.replace(/[a-z]/g, (one) => one.toUpperCase())
}

const folded = new Map<string, string>()

function plainOf(character: string): string {
  const plain = folded.get(character) ?? asPlain(character)
  if (folded.size < 5_000) folded.set(character, plain)
  return plain
}

function asPlain(character: string): string {
  if (/[ºª°]/.test(character)) return 'º'
  if (/[\u2010-\u2015\u2212]/.test(character)) return '-'
  const plain = character.normalize('NFD').charAt(0).toUpperCase()
  return plain.length === 1 ? plain : character
}

const BREAK = /\r\n?|[\v\f\x85\u2028\u2029]/g

/** Drawn as nothing. The soft hyphen is left out: its code is also a byte of `í`. */
const withoutZeroWidth = (text: string): string =>
  text.replace(
    /(\s?)[\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufeff]+(\s?)/g,
    (_, before, after) => before || after,
  )

const decoded = (text: string): string =>
  withoutZeroWidth(repaired(withoutZeroWidth(text)))
    .replace(/[\ufb00-\ufb06]/g, (ligature) => ligature.normalize('NFKC'))
    .normalize('NFC')

const withoutSoftHyphens = (text: string): string => text.replace(/\xad/g, '')

/** One character, with the mark or the plural that follows it in its word. */
const ALONE = String.raw`\S(?:\((?:S|ES|M)\))?[.,;:!?)]?(?!\S)`
const spacing = new RegExp(`(?<!\\S)${ALONE}(?:\\s+${ALONE}){3,100000}`, 'giu')

/** A dash between words keeps its spaces. Without them it would divide a word. */
const dash = /^\p{L}\s+-|^-\s+(?:\p{L}|$)/u

/** `P O S I T I V A`: at least four single characters in a row, three of them letters. */
const withoutSpacing = (text: string): string =>
  text.replace(spacing, (run) => {
    if ((run.match(/\p{L}/gu) ?? []).length < 3) return run
    const isByLines = !/[^\S\n]/.test(run)
    // The gap between words is wider. If it is not, the words come glued.
    const gaps = run.match(isByLines ? /\n+/g : /[^\S\n]+/g) ?? []
    const narrow = gaps.reduce((least, { length }) => Math.min(least, length), Infinity)
    // A word of one letter at the end or the begin of another line is not part of it.
    const [first, last] = isByLines
      ? []
      : [/^[AEOÀÉ]\s*\n\s*/i.exec(run)?.[0], /\s*\n\s*[AEOÀÉ]$/i.exec(run)?.[0]]
    const letters = run.slice(first?.length ?? 0, run.length - (last?.length ?? 0))
    const joined = letters.replace(/\s+/g, (gap, at: number) =>
      gap.length > narrow || dash.test(letters.slice(at - 1, at + gap.length + 1)) ? ' ' : '',
    )
    return `${first ?? ''}${joined}${last ?? ''}`
  })

/** A hyphen that divides a word at the end of its line. It is also found if the lines were joined later. */
const withoutHyphens = (text: string): string =>
  text
    .replace(/(?<=[^\s\d.,:;()/-])[-\u2010\u2011\xad][^\S\n]*\n\s*(?=[^\s\d.,:;()/-])/g, '')
    .replace(/(?<=[^\s\d.,:;()/-]{2})[-\u2010\u2011\xad][^\S\n]+(?=[^\s\d.,:;()/-])/g, '')

const ODD = '€\x81‚ƒ„…†‡ˆ‰Š‹Œ\x8dŽ\x8f\x90‘’“”•–—˜™š›œ\x9džŸ'
const REST = `[\\x80-\\xbf${ODD}]`

/** Accents, ordinals, combining marks, dashes, quotes. */
const sequence = new RegExp(`[\\xc2\\xc3\\xcc]${REST}|[\\xe2\\xef]${REST}{2}`, 'g')

/** `Ã` before a non-breaking space or a soft hyphen may belong to a word, so it proves nothing. */
const isMojibake = new RegExp(`\\xc3(?![\\xa0\\xad])${REST}|[\\xc2\\xcc]${REST}|[\\xe2\\xef]${REST}{2}`)

/** UTF-8 that was read as Latin-1 or windows-1252, once or twice. */
function repaired(text: string, times = 2): string {
  if (times === 0 || !isMojibake.test(text)) return text
  return repaired(text.replace(sequence, characterOf), times - 1)
}

function characterOf(bytes: string): string {
  const [lead = 0, ...rest] = [...bytes].map((one) =>
    one > '\xff' ? 0x80 + ODD.indexOf(one) : one.charCodeAt(0),
  )
  return String.fromCharCode(
    rest.reduce((code, byte) => code * 64 + (byte % 64), lead % (rest.length > 1 ? 16 : 32)),
  )
}

const LONGEST_QUOTE = 200
/** How much is read of it: two megabytes would take a third of a second. */
const MOST_READ = 4_000

const NUMBER =
  /(?<![0-9A-Z])(?:[0-9A-Z]{12}|[0-9A-Z]{2}\.[0-9A-Z]{3}\.[0-9A-Z]{3}\/[0-9A-Z]{4}-)\d\d(?!\d)|\d{4,}|\d[\d./-]{5,}\d/g

/** What no database takes as text, and what turns round the words beside it. */
const UNSEEN = /[\p{Cc}\p{Bidi_Control}]+/gu

/** Hides numbers that may be a document. A long text ends after a sentence, else with an ellipsis. */
export function quoteOf(words: string): string {
  const read = words.slice(0, MOST_READ).toWellFormed()
  const masked = read.replace(UNSEEN, ' ').replace(NUMBER, '…').trim()
  return shortened(masked).replace(/(?<!\.)\.$/, '')
}

function shortened(words: string): string {
  if (words.length <= LONGEST_QUOTE) return words
  // Half of a character that takes two places is none.
  const start = words.slice(0, LONGEST_QUOTE).replace(/[\ud800-\udbff]$/, '')
  const sentence = /^.*[\p{L}\d)"…][.!?](?=\s)/su.exec(start)?.[0]
  const at = start.lastIndexOf(' ')
  return sentence ?? `${at > 0 ? start.slice(0, at) : start}…`
}

const juntas = { e: listFormat('conjunction'), ou: listFormat('disjunction') }

export const enumerate = (palavras: readonly string[], junta: keyof typeof juntas = 'e'): string =>
  juntas[junta].format(palavras)

/** A whole number as an operator reads it: 3507 is `3.507`. */
export const thousands = (value: number): string => String(value).replace(/\B(?=(?:\d{3})+$)/g, '.')

export const modos: Record<Ambiente, string> = {
  producao: 'produção',
  homologacao: 'homologação',
  simulador: 'simulador',
}
