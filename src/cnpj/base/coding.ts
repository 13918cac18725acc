import type { Tabela } from './dominios.ts'
import { type Cursor, getU16, type Output, putU16, type Span } from './formato-bytes.ts'
import { getTexto, putTextoSempre, type WordEncoder } from './text.ts'

/** A code as clients read it; `descricao` is empty for a code that the table lacks. */
export type Codigo = { codigo: string; descricao: string }

/** A table ready to encode. `unknown` hears of each code that it lacks. */
export type TableIndex = { places: Map<number, number>; width: number; unknown: (codigo: string) => void }

/** Prepares `tabela` for `putCodigo`. Its codes have `width` digits. */
export function createTableIndex(
  tabela: Tabela,
  width: number,
  unknown: (codigo: string) => void,
): TableIndex {
  const places = new Map(tabela.codigos.map((codigo, place) => [Number(codigo), place]))
  return { places, width, unknown }
}

/**
 * The place of the code bytes[start..end) in the table; -1 when it is not there, or is no number of its
 * width.
 */
function placeOf(indice: TableIndex, bytes: Uint8Array, start: number, end: number): number {
  if (end - start !== indice.width) return -1
  let value = 0
  for (let i = start; i < end; i++) {
    const digit = (bytes[i] ?? 0) - 48
    if (digit < 0 || digit > 9) return -1
    value = value * 10 + digit
  }
  return indice.places.get(value) ?? -1
}

/**
 * Writes a code: its place plus one in 16 bits. A code that the table lacks, an empty one too, is 0 and its
 * text.
 */
export function putCodigo(
  out: Output,
  c: { palavras: WordEncoder },
  indice: TableIndex,
  bytes: Uint8Array,
  at: Span,
): number {
  const place = placeOf(indice, bytes, at.start, at.end)
  putU16(out, place + 1)
  if (place < 0) {
    putTextoSempre(out, c.palavras, bytes, at)
    if (at.end > at.start) indice.unknown(latin1(bytes, at.start, at.end))
  }
  return place
}

/** Reads what `putCodigo` wrote. */
export function getCodigo(cursor: Cursor, tabela: Tabela, words: readonly string[]): Codigo {
  const place = getU16(cursor) - 1
  if (place < 0) return { codigo: getTexto(cursor, words, false), descricao: '' }
  return { codigo: tabela.codigos[place] ?? '', descricao: tabela.descricoes[place] ?? '' }
}

/** bytes[start..end) as latin-1 text. */
function latin1(bytes: Uint8Array, start: number, end: number): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset + start, end - start).toString('latin1')
}
