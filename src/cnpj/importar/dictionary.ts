import { COLUNAS, type Conjunto } from '../base/conjuntos.ts'
import { MAX_WORDS } from '../base/text.ts'
import { type CsvLine, createCsvReader } from './csv.ts'
import type { Entradas } from './entradas.ts'
import { inflateMembro } from './inflate.ts'

/** Columns whose words are worth a code: names, addresses. */
const TEXTOS: Record<Conjunto, readonly number[]> = {
  empresas: [1],
  estabelecimentos: [4, 13, 14, 16, 17],
  socios: [2],
  simples: [],
}
/** The first hundredth of each zip is read, and no more than 24 MB in all. */
const SHARE = 0.01
const MIN_BYTES = 64 * 1024
const MAX_BYTES = 24e6
/** No code for these: long numbers are written in binary, and a CPF must be told from a word to be masked. */
const LONG_NUMBER = /^\d{5,}$|\d{3}\.\d{3}\.\d{3}-\d{2}/

function addWords(words: Map<string, number>, line: CsvLine, columns: readonly number[]): void {
  for (const column of columns) {
    const text = line.bytes.toString('latin1', line.starts[column], line.ends[column])
    for (const word of text.split(' ')) if (word !== '') words.set(word, (words.get(word) ?? 0) + 1)
  }
}

/** Ranks words by what their code saves: how often a word comes, times its bytes less one. */
function rank(words: Map<string, number>): string[] {
  return [...words]
    .filter(
      ([word, times]) => times > 1 && word.length <= 40 && !/[^!-\xff]/.test(word) && !LONG_NUMBER.test(word),
    )
    .map(([word, times]) => ({ word, times, saved: times * (word.length - 1) }))
    .sort((a, b) => b.saved - a.saved || (a.word < b.word ? -1 : 1))
    .slice(0, MAX_WORDS)
    .sort((a, b) => b.times - a.times || (a.word < b.word ? -1 : 1))
    .map(({ word }) => word)
}

/**
 * Makes the dictionary of a vintage from the beginning of each zip, commonest word first. It decides only how
 * large the file becomes: any dictionary would be right.
 */
export async function sampleDictionary(entradas: Entradas): Promise<string[]> {
  const total = entradas.conjuntos.reduce((sum, one) => sum + one.arquivo.membro.bytes, 0)
  const share = Math.min(SHARE, MAX_BYTES / Math.max(total, 1))
  const words = new Map<string, number>()
  for (const { conjunto, arquivo } of entradas.conjuntos) {
    const columns = TEXTOS[conjunto]
    if (columns.length === 0) continue
    const reader = createCsvReader(COLUNAS[conjunto], {
      line: (line) => addWords(words, line, columns),
      bad: () => undefined,
    })
    let left = Math.max(MIN_BYTES, Math.floor(arquivo.membro.bytes * share))
    for await (const piece of inflateMembro(arquivo.path, arquivo.membro)) {
      reader.feed(piece.subarray(0, left))
      left -= piece.length
      if (left <= 0) break
    }
  }
  return rank(words)
}
