import { PALAVRAS_MAXIMO } from '../../formato/texto.ts'
import { COLUNAS, type Conjunto } from '../../zips/conjuntos.ts'
import { createLeitorCsv, type Linha } from './csv.ts'
import type { Entradas } from './entradas.ts'
import { inflateMembro } from './inflate.ts'

/** Columns whose words are worth a code: names, addresses. */
const TEXTOS: Record<Conjunto, readonly number[]> = {
  empresas: [1],
  estabelecimentos: [4, 13, 14, 16, 17],
  socios: [2],
  simples: [],
}
/** One hundredth of each zip is read, its beginning; together no more than 24 MB. */
const FRACAO = 0.01
const MINIMO = 64 * 1024
const TOTAL = 24e6
/** Longer numbers are written in binary, and CPFs must be told from words to be masked. */
const NUMERO_LONGO = /^\d{5,}$|\d{3}\.\d{3}\.\d{3}-\d{2}/

function addPalavras(words: Map<string, number>, linha: Linha, columns: readonly number[]): void {
  for (const column of columns) {
    const text = linha.bytes.toString('latin1', linha.starts[column], linha.ends[column])
    for (const word of text.split(' ')) if (word !== '') words.set(word, (words.get(word) ?? 0) + 1)
  }
}

/** What each code saves: how often a word comes, times the bytes it would take otherwise. */
function rank(words: Map<string, number>): string[] {
  return [...words]
    .filter(
      ([word, times]) =>
        times > 1 && word.length <= 40 && !/[^!-\xff]/.test(word) && !NUMERO_LONGO.test(word),
    )
    .map(([word, times]) => ({ word, times, saved: times * (word.length - 1) }))
    .sort((a, b) => b.saved - a.saved || (a.word < b.word ? -1 : 1))
    .slice(0, PALAVRAS_MAXIMO)
    .sort((a, b) => b.times - a.times || (a.word < b.word ? -1 : 1))
    .map(({ word }) => word)
}

/**
 * The dictionary of a vintage: words of the beginning of each zip, commonest first. Any will do, it decides only the
 * size of the file.
 */
export async function sampleDicionario(entradas: Entradas): Promise<string[]> {
  const total = entradas.conjuntos.reduce((sum, one) => sum + one.arquivo.membro.bytes, 0)
  const share = Math.min(FRACAO, TOTAL / Math.max(total, 1))
  const words = new Map<string, number>()
  for (const { conjunto, arquivo } of entradas.conjuntos) {
    const columns = TEXTOS[conjunto]
    if (columns.length === 0) continue
    const leitor = createLeitorCsv(COLUNAS[conjunto], {
      linha: (linha) => addPalavras(words, linha, columns),
      ruim: () => undefined,
    })
    let left = Math.max(MINIMO, Math.floor(arquivo.membro.bytes * share))
    for await (const piece of inflateMembro(arquivo.path, arquivo.membro)) {
      leitor.feed(piece.subarray(0, left))
      left -= piece.length
      if (left <= 0) break
    }
  }
  return rank(words)
}
