import type { CheerioAPI } from 'cheerio/slim'
import type { CookieJar } from 'tough-cookie'
import { type CodigoDaFalha, SourceError, type SourceErrorKind } from '../platform/wire/fonte.ts'
import type { Guard } from '../platform/wire/guard.ts'
import type { Http } from '../platform/wire/http.ts'
import type { Anotacao } from '../platform/wire/leituras.ts'
import { findFirewall } from '../portal/desfecho.ts'
import type { Rota } from '../portal/estado.ts'
import {
  isCutShort,
  normalize,
  openPagina,
  type Pagina,
  PaginaExcessiva,
  parseHtml,
} from '../portal/pagina.ts'
import { HOST_DO_SIGEF } from './rules.ts'

/** SIGEF shows the parcels to whoever entered by gov.br (public clients, 2025-02 to 2026-01). */
export const fonteSigef = {
  familia: 'sigef',
  source: { id: 'BR/sigef', nome: 'O SIGEF (INCRA)' },
  url: `https://${HOST_DO_SIGEF}`,
  aceita: ['cpf', 'cnpj'],
  captcha: 'nenhum',
  certeza: 'antigo',
  origem: 'clientes de código aberto, de 2020 a 2026-01, e uma página de parcela capturada',
  em: '2026-01-18',
  nota: 'Só responde na sessão de quem entrou pelo gov.br (nível prata ou mais): o operador a importa com "fiscal sigef sessao importar", e o serviço a renova enquanto o login dura. A busca por CPF ou CNPJ, ninguém a mostrou desde que o login é exigido.',
} as const satisfies Omit<Rota, 'espera'>

/** INCRA's open map of certified parcels. It names no holder, so it only adds to parcels that are known. */
export const fonteAcervo = {
  familia: 'wfs',
  source: { id: 'BR/acervo-fundiario', nome: 'O acervo fundiário (INCRA)' },
  url: 'https://acervofundiario.incra.gov.br/i3geo/ogc.php',
  aceita: [],
  captcha: 'nenhum',
  certeza: 'verificado',
  origem: 'clientes de código aberto do mapa (i3geo)',
  em: '2026',
  nota: 'Mapa aberto, lento e instável: dá só a data de certificação das parcelas que o SIGEF já achou (SIGEF_WFS). Sem ele, o campo fica vazio.',
} as const satisfies Omit<Rota, 'espera'>

/** The shortest time between two questions, and how many are under way at once. We chose them with care. */
export const PAUSA_MS = 500
export const SIMULTANEAS = 2

export const PAGINA_MS = 40_000

/** No holder that we know of has more. A list that goes on is not read to its end. */
const MAIS_FOLHAS = 200
const MAIS_PARCELAS = 2_000

const { source } = fonteSigef

export type MeiosDoSigef = {
  http: Http
  guard: Guard
  /** The cookies of the session. What SIGEF sets is kept in it. */
  jar: CookieJar
  request_id: string
  signal?: AbortSignal | undefined
  emVaga: <T>(ask: () => Promise<T>) => Promise<T>
}

type Details = { codigo?: CodigoDaFalha; status?: number; unavailable?: boolean; retryS?: number | undefined }

export const failureOf = (kind: SourceErrorKind, why: string, details: Details = {}): SourceError =>
  new SourceError(kind, `${source.nome} ${why}.`, { source: source.id, elapsedMs: 0, ...details })

/** A page with 5,000 vertices has some 6 MiB. */
const MAX_BYTES = 12 * 1024 * 1024

/** Throws SourceError: any status but 200 is `http`, save those in `statuses`, which `read` knows. */
export const askPagina = <T>(
  url: string,
  { http, guard, jar, request_id, signal, emVaga }: MeiosDoSigef,
  read: (pagina: Pagina, note: (anotacao: Anotacao) => void) => T,
  statuses: readonly number[] = [],
): Promise<T> =>
  emVaga(() =>
    guard({ source, deadlineMs: PAGINA_MS, request_id, paceMs: PAUSA_MS }, async (leftMs, note) => {
      const ask = { source, method: 'GET', url, deadlineMs: leftMs, signal, repeatable: true } as const
      const pagina = openPagina(await http.send({ ...ask, jar, maxBytes: MAX_BYTES }))
      if (!statuses.includes(pagina.status)) refuseStatus(pagina)
      return reading(() => read(pagina, note))
    }),
  )

function reading<T>(read: () => T): T {
  try {
    return read()
  } catch (error) {
    if (error instanceof PaginaExcessiva) throw failureOf('parse', error.message)
    throw error
  }
}

/** A redirect to the login says that the session is over. */
const LOGIN = /acesso\.gov\.br|\b(?:oauth2|login|sso|entrar)/i

function refuseStatus({ status, location, retryAfterS: retryS }: Pagina): void {
  if (status === 200) return
  if (status === 401 || (status < 400 && LOGIN.test(location)))
    throw failureOf('http', `não aceita mais a sessão deste serviço (HTTP ${status})`, {
      codigo: 'sessao-expirada',
      status,
      retryS: 60,
    })
  throw failureOf('http', `respondeu com HTTP ${status} em vez da página`, { status, retryS })
}

/** The failure of a page with status 200 that was not asked for: a firewall's, the login, or unknown. */
export function unknownPage(pagina: Pagina, why: string): SourceError {
  const words = normalize(pagina.text().slice(0, 20_000))
  const firewall = findFirewall('', words)
  if (firewall)
    return failureOf('blocked', firewall.texto, { codigo: firewall.codigo, status: 200, retryS: 60 })
  if (pagina.html()(LOGIN_HTML).length > 0)
    return failureOf('http', 'pede que se entre de novo: a sessão deste serviço acabou', {
      codigo: 'sessao-expirada',
      status: 200,
      retryS: 60,
    })
  const cut = isCutShort(pagina) ? 'enviou uma página cortada' : `mudou de página: ${why}`
  return failureOf('parse', cut)
}

const LOGIN_HTML =
  'input[type=password], form[action*="acesso.gov.br"], #loginData, #accountId, a[href*="/oauth2/authorization/govbr"], a[href*="sso.acesso.gov.br"]'

type Node = { type: string; name?: string; attribs?: Record<string, string>; children?: readonly Node[] }

/** Each text is read whole: 500 nested around 1 MB would hold the process for half a minute (2026-11). */
const DEEPEST: Readonly<Record<Leitura, number>> = { titulo: 2, marca: 2, quadro: 2, celula: 8 }

type Leitura = 'titulo' | 'marca' | 'quadro' | 'celula'

/** Parses a page of SIGEF. Throws PaginaExcessiva as `parseHtml` does, and for what is nested too often. */
export function parseDocumento(text: string): CheerioAPI {
  const $ = parseHtml(text)
  refuseNested($.root().toArray(), { titulo: 0, marca: 0, quadro: 0, celula: 0 })
  return $
}

function refuseNested(nodes: readonly Node[], around: Record<Leitura, number>): void {
  for (const node of nodes) {
    const leitura = leituraOf(node)
    const inside = leitura ? { ...around, [leitura]: around[leitura] + 1 } : around
    if (leitura && inside[leitura] > DEEPEST[leitura])
      throw new PaginaExcessiva('enviou uma página aninhada demais')
    refuseNested(node.children ?? [], inside)
  }
}

function leituraOf({ name = '', attribs }: Node): Leitura | undefined {
  if (/^h[1-6]$/.test(name)) return 'titulo'
  if (name === 'strong') return 'marca'
  if (name === 'td' || name === 'th') return 'celula'
  return attribs?.class?.includes('panel-header') ? 'quadro' : undefined
}

export type ParcelaListada = {
  uuid: string
  nome: string
  /** It was cancelled, or replaced by another. */
  historico: boolean
}

type PaginaDaLista = {
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
 * SIGEF draws either paging (`.pagination` or `.br-pagination`). A page without the count is no empty list.
 */
function readLista(pagina: Pagina, numero: number): PaginaDaLista {
  const $ = parseDocumento(pagina.text())
  const total = totalOf($)
  if (total === undefined) throw unknownPage(pagina, 'a lista não diz quantas parcelas achou')
  const rows = $(LINHAS).toArray()
  const linhas = rows.flatMap((row) => linhaOf($, row, rows.length === 1 && total === 0) ?? [])
  const proxima = proximaOf($, numero + 1)
  return { total, linhas, proxima }
}

type Row = Parameters<CheerioAPI>[0]

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

/** The fields of the form, which SIGEF sends all of them, empty or not. */
const CAMPOS = ['proprietario', 'cns', 'matricula', 'codigo', 'protocolo', 'credenciado', 'vertice', 'sncr']

/** The address of a page of the list of a holder's parcels. The document goes by its digits alone. */
function enderecoDaLista(documento: string, numero: number, limite: string): string {
  const query = new URLSearchParams({
    page: String(numero),
    termo: '',
    pesquisa_avancada: 'True',
    cpf_cnpj: documento,
    ...Object.fromEntries(CAMPOS.map((campo) => [campo, ''])),
    ...(limite !== '' && { limit: limite }),
  })
  return `${fonteSigef.url}/consultar/parcelas/?${query}`
}

/** The count must be the rows of all pages, each a parcel of its own; else SourceError `parse`. */
export async function listParcelas(documento: string, meios: MeiosDoSigef): Promise<ParcelaListada[]> {
  const linhas = new Map<string, ParcelaListada>()
  let limite = ''
  let esperadas: number | undefined
  for (let numero = 1; ; numero++) {
    const url = enderecoDaLista(documento, numero, limite)
    const pagina = await askPagina(url, meios, (page, note) => {
      const read = readLista(page, numero)
      if (numero === 1) note({ vazia: read.total === 0 })
      return read
    })
    if (pagina.total > MAIS_PARCELAS) throw failureOf('parse', `lista mais de ${MAIS_PARCELAS} parcelas`)
    esperadas ??= pagina.total
    const before = linhas.size
    for (const linha of pagina.linhas) linhas.set(linha.uuid, linha)
    const isOther = pagina.total !== esperadas || linhas.size < before + pagina.linhas.length
    if (isOther || (pagina.proxima && (numero === MAIS_FOLHAS || pagina.linhas.length === 0)))
      throw contradicao()
    if (!pagina.proxima) break
    limite ||= pagina.proxima.limite
  }
  if (linhas.size !== esperadas) throw contradicao()
  return [...linhas.values()].filter(({ historico }) => !historico)
}

const contradicao = () =>
  failureOf('parse', 'se contradiz: a lista não tem tantas parcelas quantas diz', { codigo: 'contradicao' })
