import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Elemento } from '../nota/arvore.ts'
import { lugarDe } from '../nota/lugar.ts'

const ARQUIVO = fileURLToPath(new URL('../../../../data/rejeicoes/campos.csv', import.meta.url))

let lidos: ReadonlyMap<string, string> | undefined

/** The label of a field by its path without positions. Undefined if there is none. */
function rotuloDe(caminho: string): string | undefined {
  lidos ??= ler()
  return lidos.get(caminho.replace(/\[\d+\]/g, ''))
}

function ler(): ReadonlyMap<string, string> {
  const [, ...linhas] = readFileSync(ARQUIVO, 'utf8').trim().split(/\r?\n/)
  return new Map(
    linhas.map((linha) => {
      const corte = linha.indexOf(',')
      const rotulo = linha.slice(corte + 1).replace(/^"([\s\S]*)"$/, '$1')
      return [linha.slice(0, corte), rotulo.replaceAll('""', '"')] as const
    }),
  )
}

/** `NCM (Código NCM do item)`, for a message. */
export function nomeComRotulo(caminho: string): string {
  const nome = caminho.replace(/^.*\//, '').replace(/\[\d+\]$/, '')
  const rotulo = rotuloDe(caminho)
  return rotulo ? `${nome} (${rotulo})` : nome
}

/** The path of an attribute, or of the element. */
export const caminhoDe = (elemento: Elemento, atributo: string | undefined): string =>
  [lugarDe(elemento), atributo && `@${atributo}`].filter(Boolean).join('/')
