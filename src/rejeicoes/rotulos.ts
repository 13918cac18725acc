import { readFileSync } from 'node:fs'

const TABELA = new URL('../../data/rejeicoes/campos.csv', import.meta.url)

let rotulos: ReadonlyMap<string, string> | undefined

/** The label of a field, by its path with or without positions; undefined for one that is not of a note. */
export function rotuloDe(caminho: string): string | undefined {
  rotulos ??= lerRotulos()
  return rotulos.get(caminho.replace(/\[\d+\]/g, ''))
}

/** A path has no comma. A label that has one stands between quotes. */
function lerRotulos(): ReadonlyMap<string, string> {
  const lines = readFileSync(TABELA, 'utf8').split(/\r?\n/)
  return new Map(
    lines.flatMap((line): [string, string][] => {
      const at = line.indexOf(',')
      if (at < 0) return []
      const label = line.slice(at + 1).replace(/^"(.*)"$/, '$1')
      return [[line.slice(0, at), label.replaceAll('""', '"')]]
    }),
  )
}
