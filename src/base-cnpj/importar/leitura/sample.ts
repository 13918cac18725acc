import type { Linha } from '../entradas/csv.ts'

/** Lines kept as they were, to be compared with what the finished base gives for them. */
export type Amostra = { put(linha: Linha): void; linhas: string[] }

/** Keeps one line in `every` (a different place of the zips each: `first` tells where to start). */
export function createAmostra(every: number, first: number): Amostra {
  const linhas: string[] = []
  let left = first % every
  return {
    linhas,
    put(linha) {
      if (left-- > 0 || linha.doubled) return
      left = every - 1
      linhas.push(linha.bytes.toString('latin1', linha.start, linha.end))
    },
  }
}
