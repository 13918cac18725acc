import type { CheerioAPI } from 'cheerio/slim'
import { normalize, type Pagina } from '../portal/pagina.ts'
import { parseDocumento } from './documento.ts'
import { failureOf, unknownPage } from './source-sigef.ts'

/** A row of the list of parcels. */
export type ParcelaListada = {
  uuid: string
  nome: string
  /** It was cancelled, or replaced by another. */
  historico: boolean
}

/** A page of the list: the count of all rows, its own rows, and how the next page is asked for. */
export type PaginaDaLista = {
  total: number
  linhas: ParcelaListada[]
  proxima: { limite: string } | undefined
}

const UUID = '[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}'
const DETALHE = new RegExp(`/geo/parcela/detalhe/(${UUID})/?(?:[?#].*)?$`, 'i')

/** The rows, by the marks that clients know: the odd id is the page's own (2020), the class is of 2025. */
const LINHAS = 'table.table-hover tbody tr, [id="tbl-parcelas tbody"] tr'

/** The column that marks a parcel which is no more. */
const HISTORICO = 'PARCELA NO HISTORICO'

/**
 * Reads page `numero` of the list, drawn with either paging (`.pagination` or `.br-pagination`). Throws
 * SourceError for another page; one without the count is not a list without parcels.
 */
export function readLista(pagina: Pagina, numero: number): PaginaDaLista {
  const $ = parseDocumento(pagina.text())
  const total = totalOf($)
  if (total === undefined) throw unknownPage(pagina, 'a lista não diz quantas parcelas achou')
  const rows = $(LINHAS).toArray()
  const linhas = rows.flatMap((row) => linhaOf($, row, rows.length === 1 && total === 0) ?? [])
  const proxima = proximaOf($, numero + 1)
  return { total, linhas, proxima }
}

type Row = Parameters<CheerioAPI>[0]

/** The row of a parcel. `mayBeEmpty`: a list without parcels may say so in a row of its own. */
function linhaOf($: CheerioAPI, row: Row, mayBeEmpty: boolean): ParcelaListada | undefined {
  const cells = $(row).children('td')
  const hrefs = cells
    .first()
    .find('a[href]')
    .toArray()
    .flatMap((link) => DETALHE.exec($(link).attr('href') ?? '')?.[1] ?? [])
  const [uuid] = hrefs
  if (uuid === undefined && mayBeEmpty && cells.length <= 1) return undefined
  if (uuid === undefined || new Set(hrefs).size > 1 || cells.length < 5 || cells.length > 6)
    throw failureOf('parse', 'mudou de página: uma linha da lista não tem as colunas de sempre')
  const marks = cells.find('strong').toArray()
  const historico = marks.some((mark) => normalize($(mark).text()).includes(HISTORICO))
  return { uuid: uuid.toLowerCase(), nome: plain(cells.first().text()), historico }
}

/** A text on one line, as the page writes it. */
export const plain = (text: string): string => text.replace(/\s+/g, ' ').trim()

/** The count ("Resultados: 25", or "Total: 25"). Undefined without one; two that differ are no count. */
function totalOf($: CheerioAPI): number | undefined {
  const texts = $('h1, h2, h3, h4, h5')
    .toArray()
    .flatMap((head) => /^(?:RESULTADOS|TOTAL) ?: ?([\d.]{1,12})$/.exec(normalize($(head).text()))?.[1] ?? [])
  const counts = new Set(texts.map((text) => Number(text.replaceAll('.', ''))))
  if (counts.size > 1) throw failureOf('parse', 'se contradiz: a lista traz dois totais')
  return [...counts][0]
}

/** Whether a page links to the next one. The newer paging also says how many rows a page has. */
function proximaOf($: CheerioAPI, next: number): { limite: string } | undefined {
  const links = $('.pagination a[href], .br-pagination a[href]').toArray()
  for (const link of links) {
    const query = new URLSearchParams(/\?([^#]*)/.exec($(link).attr('href') ?? '')?.[1] ?? '')
    if (query.get('page') !== String(next)) continue
    const limite = query.get('limit') ?? ''
    return { limite: /^\d{1,3}$/.test(limite) ? limite : '' }
  }
  return undefined
}
