import type { CheerioAPI } from 'cheerio/slim'
import { normalize } from '../portal/pagina.ts'
import { plain } from './lista.ts'
import { failureOf } from './source-sigef.ts'

/** A panel of a parcel's page. Values are as the page writes them, labels as `normalize` gives them. */
export type Painel = {
  /** The value of a label; empty where there is none. */
  valor: (rotulo: string) => string
  /** The single cells below a label that has no value of its own. */
  itens: (rotulo: string) => string[]
  /** The headings of its columns, and the rows below them. */
  colunas: string[]
  linhas: string[][]
}

/** Finds the panel of a title, the only way to its labels: two panels have "Denominação" and "Situação". */
export function findPainel($: CheerioAPI, titulo: string): Painel | undefined {
  const heads = $('.panel-header')
    .toArray()
    .filter((head) => tituloOf($, head) === titulo)
  if (heads.length === 0) return undefined
  if (heads.length > 1) throw failureOf('parse', 'mudou de página: um quadro da parcela aparece duas vezes')
  return readPainel($, $(heads[0]).next('.panel-content').find('tr').toArray())
}

type Row = Parameters<CheerioAPI>[0]

/** The title stands after icons and beside a link that folds the panel. */
function tituloOf($: CheerioAPI, head: Row): string {
  const copy = $(head).clone()
  copy.find('a, i, script').remove()
  return normalize(copy.text())
}

function readPainel($: CheerioAPI, rows: readonly Row[]): Painel {
  const valores = new Map<string, string>()
  const itens = new Map<string, string[]>()
  const colunas: string[] = []
  const linhas: string[][] = []
  let secao = ''
  for (const row of rows) {
    const heads = $(row).children('th').toArray()
    const cells = $(row)
      .children('td')
      .toArray()
      .map((cell) => textOf($, cell))
    const rotulo = heads.length > 0 ? normalize($(heads[0]).text()) : ''
    if (heads.length === 1 && cells.length > 0) {
      const valor = cells[0] ?? ''
      if ((valores.get(rotulo) ?? valor) !== valor)
        throw failureOf('parse', 'se contradiz: um campo da parcela aparece duas vezes')
      valores.set(rotulo, valor)
    } else if (heads.length === 1) secao = rotulo
    else if (heads.length > 1) colunas.push(...heads.map((head) => normalize($(head).text())))
    else if (cells.length === 1) {
      const own = itens.get(secao) ?? []
      own.push(cells[0] ?? '')
      itens.set(secao, own)
    } else linhas.push(cells)
  }
  return {
    valor: (rotulo) => valores.get(rotulo) ?? '',
    itens: (rotulo) => itens.get(rotulo) ?? [],
    colunas,
    linhas,
  }
}

/** The text of a cell up to its first line break: below it stands an explanation in small letters. */
function textOf($: CheerioAPI, cell: Row): string {
  const copy = $(cell).clone()
  const [br] = copy.find('br').toArray()
  while (br?.nextSibling) $(br.nextSibling).remove()
  copy.find('small, script').remove()
  return plain(copy.text())
}
