import type { Cheerio, CheerioAPI } from 'cheerio/slim'
import type { Element } from 'domhandler'
import { isCutShort, normalize, type Pagina } from '../portal/pagina.ts'
import type { Failure } from '../portal/portal.ts'

/** The lights of a cell. Grey, and a cell without an image, tell nothing. */
export type Luz = 'verde' | 'amarelo' | 'vermelho'

/** One table of availability: the lights of a row, by its columns; undefined where a light tells nothing. */
export type QuadroPublico = {
  luzesDe: (autorizador: string, colunas: readonly string[]) => readonly (Luz | undefined)[]
}

/** Portals look anew every few minutes, and the page asks to be read every 2: an older one tells nothing. */
const OLDEST_MS = 15 * 60_000

/** The names of the images vary in gender: `bola_amarela_P.png`, `bola_vermelho_P.png`. */
const imagens: readonly [RegExp, Luz][] = [
  [/vermelh/i, 'vermelho'],
  [/amarel/i, 'amarelo'],
  [/verde/i, 'verde'],
]

/** Reads the page of a portal as it stood at `now`. Fails where the page is cut, old, or of another shape. */
export function readQuadro(pagina: Pagina, now: Date, failure: Failure): QuadroPublico {
  if (isCutShort(pagina)) throw failure('parse', 'enviou uma página que não chegou inteira')
  const $ = pagina.html()
  const table = $('table[id*="gdvDisponibilidade"]').first()
  const [head, ...rows] = table.find('tr').toArray()
  if (!head) throw failure('parse', 'mudou de página: falta a tabela da disponibilidade')
  refuseOld(table.find('caption').text(), now, failure)
  const titles = textsOf($, head, 'th').map(headingOf)
  return {
    luzesDe: (autorizador, colunas) => {
      const own = rows.filter((row) => textsOf($, row, 'td')[0] === autorizador)
      return colunas.map((coluna) => {
        const at = titles.indexOf(headingOf(coluna))
        if (at < 0) throw failure('parse', `mudou de página: falta a coluna ${coluna}`)
        const cells = own.map((row) => $(row).children('td'))
        // A row in two, or with cells of other columns, is not understood.
        return cells.length === 1 && cells[0]?.length === titles.length ? luzOf(cells[0].eq(at)) : undefined
      })
    },
  }
}

const textsOf = ($: CheerioAPI, row: Element, tag: 'th' | 'td'): string[] =>
  $(row)
    .children(tag)
    .toArray()
    .map((cell) => normalize($(cell).text()))

/** A heading without accents and without the version of its service: `Autorização4` is `AUTORIZACAO`. */
const headingOf = (heading: string): string => normalize(heading).replace(/\s*\d+$/, '')

function luzOf(cell: Cheerio<Element>): Luz | undefined {
  const images = cell.find('img')
  const src = images.length === 1 ? (images.attr('src') ?? '') : ''
  const file = src.slice(src.lastIndexOf('/') + 1)
  return imagens.find(([pattern]) => pattern.test(file))?.[1]
}

/** Both portals date their table, in Brasília time. */
function refuseOld(caption: string, now: Date, failure: Failure): void {
  const found = /ULTIMA VERIFICACAO:\s*(\d\d)\/(\d\d)\/(\d{4}) (\d\d:\d\d:\d\d)/.exec(normalize(caption))
  const [, day, month, year, time] = found ?? []
  const seen = Date.parse(`${year}-${month}-${day}T${time}-03:00`)
  if (Number.isNaN(seen)) throw failure('parse', 'mudou de página: não diz de quando é a verificação')
  if (Math.abs(now.getTime() - seen) > OLDEST_MS)
    throw failure('parse', `mostra uma verificação de ${day}/${month}/${year} ${time}, e não a de agora`)
}
