import type { Cheerio, CheerioAPI } from 'cheerio/slim'
import type { Element } from 'domhandler'
import { refuseErro } from '../nfe/source-portal.ts'
import { quoteOf } from '../platform/texto.ts'
import { codeOf, SourceError } from '../platform/wire/fonte.ts'
import type { Http } from '../platform/wire/http.ts'
import { noSolver } from '../portal/captcha.ts'
import { isCutShort, normalize, type Pagina } from '../portal/pagina.ts'
import { type Failure, type Visita, visit } from '../portal/visita.ts'
import { type Autorizador, autorizadores } from './rules.ts'
import { type LogDaSonda, leituraVazia, type Sondagem } from './source.ts'

/** The lights of a cell. Grey, and a cell without an image, tell nothing. */
type Luz = 'verde' | 'amarelo' | 'vermelho'

/** One table of availability: the lights of a row, by its columns; undefined where a light tells nothing. */
type QuadroPublico = {
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
function readQuadro(pagina: Pagina, now: Date, failure: Failure): QuadroPublico {
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

export type MeiosDasPaginas = {
  http: Http
  now: () => Date
  ambiente: 'producao' | 'homologacao'
  log: LogDaSonda
}

/** A public page of availability, and the columns that decide whether documents are authorized. */
type PaginaPublica = {
  doc: 'nfe' | 'cte'
  visita: Pick<Visita, 'source'> & { enderecos: Readonly<Record<MeiosDasPaginas['ambiente'], string>> }
  colunas: readonly string[]
}

/** As captured on 2026-06-02. The NFC-e has no page (docs/decisions/0058). */
const paginas: readonly PaginaPublica[] = [
  {
    doc: 'nfe',
    visita: {
      source: { id: 'BR/disponibilidade/nfe', nome: 'O portal nacional da NF-e' },
      enderecos: {
        producao: 'https://www.nfe.fazenda.gov.br/portal/disponibilidade.aspx',
        homologacao: 'https://hom.nfe.fazenda.gov.br/portal/disponibilidade.aspx',
      },
    },
    colunas: ['Autorização', 'Status Serviço'],
  },
  {
    doc: 'cte',
    visita: {
      source: { id: 'BR/disponibilidade/cte', nome: 'O portal nacional do CT-e' },
      enderecos: {
        producao: 'https://www.cte.fazenda.gov.br/portal/disponibilidade.aspx',
        homologacao: 'https://hom.cte.fazenda.gov.br/portal/disponibilidade.aspx',
      },
    },
    colunas: ['Recepção Sinc', 'Status Serviço'],
  },
]

/** The portals answer in 4 to 10 s (open clients, 2026). All tries of a page end within a round. */
const TRY_MS = 15_000
const ALL_TRIES_MS = 25_000

/** An authorizer of which the page tells nothing, or could not be read, has no reading. */
export async function readPaginas(em: number, meios: MeiosDasPaginas): Promise<Sondagem[]> {
  const read = await Promise.all(paginas.map((pagina) => readPagina(pagina, em, meios)))
  return read.flat()
}

async function readPagina(
  { doc, visita, colunas }: PaginaPublica,
  em: number,
  meios: MeiosDasPaginas,
): Promise<Sondagem[]> {
  const { source, enderecos } = visita
  const asked: Visita = { uf: 'BR', source, url: enderecos[meios.ambiente], captcha: 'nenhum' }
  try {
    const own = autorizadores.filter((one) => one.doc === doc)
    const rows = await visitTwice(asked, meios, (quadro) =>
      own.map((one) => ({ one, luzes: quadro.luzesDe(siglaOf(one), colunas) })),
    )
    meios.log.debug({ source: source.id }, 'availability page read')
    return rows.flatMap(({ one, luzes }) => sondagemOf(one.id, em, { nome: source.nome, colunas, luzes }))
  } catch (error) {
    if (!(error instanceof SourceError)) throw error
    const { kind, status: http, codigo, cause, elapsedMs: ms, message: why } = error
    const causa = codeOf(cause) || undefined
    meios.log.info({ source: source.id, kind, http, codigo, causa, ms, why }, 'availability page failed')
    return []
  }
}

/** Asks once more, unless the portal turned us away. */
async function visitTwice<R>(
  visita: Visita,
  { http, now }: MeiosDasPaginas,
  read: (quadro: QuadroPublico) => R,
): Promise<R> {
  const ends = performance.now() + ALL_TRIES_MS
  const once = (deadlineMs: number): Promise<R> =>
    visit(visita, { http, now, captcha: noSolver, deadlineMs }, async (portal) => {
      const pagina = await portal.get(visita.url)
      refuseErro(portal, pagina)
      return read(readQuadro(pagina, now(), portal.failure))
    })
  try {
    return await once(TRY_MS)
  } catch (error) {
    if (!(error instanceof SourceError) || error.kind === 'blocked') throw error
    return once(ends - performance.now())
  }
}

const siglaOf = ({ nome }: Autorizador): string => nome.replace(/^SEFAZ /, '')

type Linha = { nome: string; colunas: readonly string[]; luzes: readonly (Luz | undefined)[] }

/** Yellow is the first negative answer, and lasts up to 10 minutes. Grey, or no image, is unknown. */
function sondagemOf(autorizador: string, em: number, { nome, colunas, luzes }: Linha): Sondagem[] {
  const made = (rest: Pick<Sondagem['leitura'], 'resultado' | 'motivo'>): Sondagem[] => [
    { leitura: { ...leituraVazia(autorizador, em), ...rest }, contato: 'servico', http: undefined },
  ]
  for (const luz of ['vermelho', 'amarelo'] as const) {
    const at = luzes.indexOf(luz)
    if (at >= 0)
      return made({
        resultado: 'indisponivel',
        motivo: `${nome} mostra "${quoteOf(colunas[at] ?? '')}" em ${luz}.`,
      })
  }
  return luzes.every((luz) => luz === 'verde') ? made({ resultado: 'disponivel', motivo: '' }) : []
}
