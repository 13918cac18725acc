import { isCpf, maskDocumento } from '../../documento/documento.ts'
import {
  type Cursor,
  getU8,
  getUint,
  getVarint,
  type Output,
  putU8,
  putUint,
  putVarint,
  type Span,
} from './bytes.ts'

/**
 * A text on disk is words (runs of bytes above space) as codes, closed by END; README.md draws them. A word
 * outside the dictionary goes literally, so any text with one space between words comes back byte by byte.
 */
const ONE_BYTE = 96
const LITERAL = 191
const DIGITS = 224
const END = 255
const MIN_DIGITS = 3
const MAX_DIGITS = 14

export const MAX_WORDS = ONE_BYTE + (LITERAL - ONE_BYTE) * 256

const numberBytes = (digits: number): number => Math.ceil((digits * Math.log2(10)) / 8)
const NUMBER_BYTES = Array.from({ length: MAX_DIGITS + 1 }, (_, digits) => numberBytes(digits))

/** An open-addressing table from the hash of a word to its code plus one. */
export type WordEncoder = { slots: Int32Array; hashes: Int32Array; starts: Int32Array; bytes: Uint8Array }

const SLOTS = 1 << 16

function hashOf(bytes: Uint8Array, start: number, end: number): number {
  let hash = 0
  for (let i = start; i < end; i++) hash = Math.imul(hash, 31) + (bytes[i] ?? 0)
  return mix(hash)
}

const mix = (hash: number): number => Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d) | 0

/** Words are latin-1 without spaces. The code of each is its place. */
export function createWordEncoder(words: readonly string[]): WordEncoder {
  const bytes = Buffer.from(words.join(''), 'latin1')
  const starts = new Int32Array(words.length + 1)
  const hashes = new Int32Array(words.length)
  const slots = new Int32Array(SLOTS)
  let at = 0
  words.forEach((word, code) => {
    starts[code] = at
    const hash = hashOf(bytes, at, at + word.length)
    hashes[code] = hash
    let slot = hash & (SLOTS - 1)
    while (slots[slot] !== 0) slot = (slot + 1) & (SLOTS - 1)
    slots[slot] = code + 1
    at += word.length
  })
  starts[words.length] = at
  return { slots, hashes, starts, bytes }
}

function codeOf(c: WordEncoder, hash: number, bytes: Uint8Array, start: number, end: number): number {
  const { slots, hashes, starts, bytes: known } = c
  for (let slot = hash & (SLOTS - 1); ; slot = (slot + 1) & (SLOTS - 1)) {
    const code = (slots[slot] ?? 0) - 1
    if (code < 0) return -1
    if (hashes[code] !== hash) continue
    const from = starts[code] ?? 0
    if ((starts[code + 1] ?? 0) - from !== end - start) continue
    let i = start
    while (i < end && bytes[i] === known[from + i - start]) i++
    if (i === end) return code
  }
}

function putUnknownWord(out: Output, bytes: Uint8Array, start: number, end: number, digits: boolean): void {
  const length = end - start
  if (digits && length >= MIN_DIGITS && length <= MAX_DIGITS) {
    let value = 0
    for (let i = start; i < end; i++) value = value * 10 + (bytes[i] ?? 0) - 48
    putU8(out, DIGITS + length - MIN_DIGITS)
    putUint(out, value, NUMBER_BYTES[length] ?? 0)
    return
  }
  if (length <= 32) putU8(out, LITERAL + length)
  else {
    putU8(out, LITERAL)
    putVarint(out, length)
  }
  for (let i = start; i < end; i++) out.bytes[out.at++] = bytes[i] ?? 0
}

/** Leaves the text open: what two calls write reads as one. Bytes up to space separate words. */
function putWords(out: Output, c: WordEncoder, bytes: Uint8Array, start: number, end: number): void {
  let at = start
  while (at < end) {
    if ((bytes[at] ?? 0) <= 32) {
      at++
      continue
    }
    const from = at
    let hash = 0
    let digits = true
    for (; at < end; at++) {
      const byte = bytes[at] ?? 0
      if (byte <= 32) break
      hash = Math.imul(hash, 31) + byte
      if (byte < 48 || byte > 57) digits = false
    }
    const code = codeOf(c, mix(hash), bytes, from, at)
    if (code < 0) putUnknownWord(out, bytes, from, at, digits)
    else if (code < ONE_BYTE) out.bytes[out.at++] = code
    else {
      out.bytes[out.at++] = ONE_BYTE + ((code - ONE_BYTE) >>> 8)
      out.bytes[out.at++] = (code - ONE_BYTE) & 255
    }
  }
}

/** A blank text writes nothing and gives false: a flag of the record says that there is none. */
export function putTexto(
  out: Output,
  c: WordEncoder,
  bytes: Uint8Array,
  first: Span,
  second?: Span,
): boolean {
  const before = out.at
  putWords(out, c, bytes, first.start, first.end)
  if (second !== undefined) putWords(out, c, bytes, second.start, second.end)
  if (out.at === before) return false
  out.bytes[out.at++] = END
  return true
}

export function putTextoSempre(out: Output, c: WordEncoder, bytes: Uint8Array, at: Span): void {
  putWords(out, c, bytes, at.start, at.end)
  out.bytes[out.at++] = END
}

const FORMATTED_CPF = /^\d{3}\.(\d{3})\.(\d{3})-\d{2}$/

function masked(word: string): string {
  if (word.length === 11) return isCpf(word) ? maskDocumento(word) : word
  return word.replace(FORMATTED_CPF, (whole, a: string, b: string) =>
    isCpf(whole.replace(/\D/g, '')) ? `***.${a}.${b}-**` : whole,
  )
}

export const maskCpfs = (text: string): string => text.split(' ').map(masked).join(' ')

function getWord(cursor: Cursor, words: readonly string[], code: number, mask: boolean): string {
  if (code < LITERAL) return words[ONE_BYTE + ((code - ONE_BYTE) << 8) + getU8(cursor)] ?? ''
  if (code >= DIGITS) {
    const length = code - DIGITS + MIN_DIGITS
    const word = String(getUint(cursor, NUMBER_BYTES[length] ?? 0)).padStart(length, '0')
    return mask && length === 11 ? masked(word) : word
  }
  const length = code === LITERAL ? getVarint(cursor) : code - LITERAL
  const word = cursor.bytes.toString('latin1', cursor.at, cursor.at + length)
  cursor.at += length
  return mask && length === 14 ? masked(word) : word
}

/** Reads a text. `mask` hides a word that is a CPF as the Receita Federal does. */
export function getTexto(cursor: Cursor, words: readonly string[], mask: boolean): string {
  let text = ''
  for (;;) {
    const code = getU8(cursor)
    if (code === END) return text
    const word = code < ONE_BYTE ? (words[code] ?? '') : getWord(cursor, words, code, mask)
    text = text === '' ? word : `${text} ${word}`
  }
}
