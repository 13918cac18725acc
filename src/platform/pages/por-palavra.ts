import { setImmediate as nextTurn } from 'node:timers/promises'
import type MiniSearch from 'minisearch'

/** What a search found, the best first: the ids of what has all words, and of what has at least one. */
export type AchadasPorPalavra = { todas: number[]; algumas: number[] }

/**
 * A word that was asked, and other words for the same thing: whichever answers best counts. What lacks an
 * optional one may have all words.
 */
export type PalavraDita = { dita: string; iguais?: readonly string[]; isOpcional?: boolean }

/**
 * Looks for words, each in a turn of its own: a long question takes the thread no longer at once than a
 * short one. `isInicio` tells whether a word may begin another one; words for the same thing are looked for
 * as they are, and a saying of more words has only those.
 */
export async function procurarPorPalavra<T>(
  indice: MiniSearch<T>,
  palavras: readonly PalavraDita[],
  isInicio: (palavra: string, isUltima: boolean) => boolean,
): Promise<AchadasPorPalavra> {
  const unicas = [...new Map(palavras.map((palavra) => [palavra.dita, palavra])).values()]
  const pedidas = unicas.filter(({ isOpcional }) => !isOpcional)
  const quantasPedidas = pedidas.length || unicas.length
  const notas = new Map<number, { soma: number; quantas: number; pedidas: number }>()
  for (const palavra of unicas) {
    const { dita, iguais = [] } = palavra
    const conta = pedidas.length === 0 || pedidas.includes(palavra) ? 1 : 0
    const melhores = new Map<number, number>()
    const juntar = (achadas: readonly { id: unknown; score: number }[]): void => {
      for (const { id: escrito, score } of achadas) {
        const id = Number(escrito)
        melhores.set(id, Math.max(melhores.get(id) ?? 0, score))
      }
    }
    await nextTurn()
    if (!dita.includes(' '))
      juntar(indice.search(dita, { prefix: isInicio(dita, dita === palavras.at(-1)?.dita) }))
    for (const igual of iguais) {
      await nextTurn()
      juntar(indice.search(igual, { prefix: false, fuzzy: false }))
    }
    for (const [id, score] of melhores) {
      const nota = notas.get(id) ?? { soma: 0, quantas: 0, pedidas: 0 }
      nota.soma += score
      nota.quantas++
      nota.pedidas += conta
      notas.set(id, nota)
    }
  }
  const peso = ({ soma, quantas }: { soma: number; quantas: number }): number => soma * quantas
  const naOrdem = [...notas].sort(([, a], [, b]) => peso(b) - peso(a))
  return {
    todas: naOrdem.filter(([, nota]) => nota.pedidas === quantasPedidas).map(([id]) => id),
    algumas: naOrdem.map(([id]) => id),
  }
}

/** A value that is made when it is first asked for. A failure is not kept. */
export function abrirUmaVez<T>(abrir: () => Promise<T>): () => Promise<T> {
  let aberto: Promise<T> | undefined
  return () => {
    aberto ??= abrir().catch((error) => {
      aberto = undefined
      throw error
    })
    return aberto
  }
}
