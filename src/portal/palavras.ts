import { ABREVIADO } from './rules-lexico.ts'

/** A place in a text. */
export type Trecho = { inicio: number; fim: number }

export type Palavra = Trecho & { texto: string }

/**
 * The words and marks of a text. `DÉBITO(S)` is one word; the point of an abbreviation or a number is no
 * mark.
 */
export function wordsOf(folded: string): Palavra[] {
  const palavras: Palavra[] = []
  for (const { index, 0: found, 1: texto = found } of folded.matchAll(
    /(\d+|[A-Zº]+(?:\/[A-Z]+)*)(?:\([A-Z]{1,3}\))?|[.,:;!?()-]/g,
  )) {
    const before = palavras.at(-1)?.texto ?? ''
    const isNumber = /^\d+$/.test(before) && /\d/.test(folded.charAt(index + 1))
    if (texto === '.' && (isNumber || before.length === 1 || ABREVIADO.has(before))) continue
    palavras.push({ texto, inicio: index, fim: index + found.length })
  }
  return palavras
}
