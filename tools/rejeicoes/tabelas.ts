import { readFileSync } from 'node:fs'
import { trusted } from '../../src/platform/trusted.ts'

/** The folder of the catalogue's inputs. */
export const PASTA = new URL('../../data/rejeicoes/', import.meta.url)

/** One cell with what ends it: quoted, with doubled quotes inside, or plain. */
const CELULA = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r?\n|$)/y

/** The rows of a CSV (RFC 4180, comma, UTF-8). */
export function lerLinhas(texto: string): string[][] {
  const linhas: string[][] = []
  let linha: string[] = []
  CELULA.lastIndex = 0
  while (CELULA.lastIndex < texto.length) {
    const inicio = CELULA.lastIndex
    const achado = CELULA.exec(texto)
    if (!achado) throw new Error(`the CSV breaks at character ${inicio}`)
    const [, citada, simples = '', fim] = achado
    linha.push(citada?.replaceAll('""', '"') ?? simples)
    if (fim === ',') continue
    linhas.push(linha)
    linha = []
  }
  return linhas
}

/** Reads a table of `data/rejeicoes` whose first row names exactly these columns. Throws if a row differs. */
export function lerTabela<C extends string>(nome: string, colunas: readonly C[]): Record<C, string>[] {
  const [cabecalho = [], ...linhas] = lerLinhas(readFileSync(new URL(nome, PASTA), 'utf8'))
  if (cabecalho.join() !== colunas.join()) throw new Error(`${nome} has other columns: ${cabecalho}`)
  return linhas.map((linha, i) => {
    if (linha.length !== colunas.length) throw new Error(`${nome}, row ${i + 2}: ${linha.length} cells`)
    return trusted<Record<C, string>>(
      Object.fromEntries(colunas.map((coluna, c) => [coluna, linha[c] ?? ''])),
    )
  })
}

const celula = (texto: string): string =>
  /[",\r\n]/.test(texto) ? `"${texto.replaceAll('"', '""')}"` : texto

/** The text of a CSV, as `lerLinhas` reads it. */
export const escreverLinhas = (linhas: readonly (readonly string[])[]): string =>
  linhas.map((linha) => `${linha.map(celula).join(',')}\n`).join('')
