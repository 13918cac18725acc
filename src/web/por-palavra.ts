import { setImmediate as nextTurn } from 'node:timers/promises'
import type MiniSearch from 'minisearch'

/** What a search found, the best first: the ids of what has all words, and of what has at least one. */
export type AchadasPorPalavra = { todas: number[]; algumas: number[] }

/**
 * Looks for words, each in a turn of its own: a long question takes the thread no longer at once than a
 * short one. The score is that of MiniSearch; `isInicio` tells whether a word may be the beginning of
 * another one.
 */
export async function procurarPorPalavra<T>(
  indice: MiniSearch<T>,
  palavras: readonly string[],
  isInicio: (palavra: string, isUltima: boolean) => boolean,
): Promise<AchadasPorPalavra> {
  const unicas = [...new Set(palavras)]
  const notas = new Map<number, { soma: number; quantas: number }>()
  for (const palavra of unicas) {
    await nextTurn()
    const prefix = isInicio(palavra, palavra === palavras.at(-1))
    for (const { id: escrito, score } of indice.search(palavra, { prefix })) {
      const id = Number(escrito)
      const nota = notas.get(id) ?? { soma: 0, quantas: 0 }
      nota.soma += score
      nota.quantas++
      notas.set(id, nota)
    }
  }
  const peso = ({ soma, quantas }: { soma: number; quantas: number }): number => soma * quantas
  const naOrdem = [...notas].sort(([, a], [, b]) => peso(b) - peso(a))
  return {
    todas: naOrdem.filter(([, { quantas }]) => quantas === unicas.length).map(([id]) => id),
    algumas: naOrdem.map(([id]) => id),
  }
}
