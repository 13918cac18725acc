import type { CheerioAPI } from 'cheerio/slim'
import { isUf, type Uf } from '../documento/uf.ts'
import { SourceError } from '../platform/wire/fonte.ts'
import { child, children, findElement, parseXml, textOf, type XmlNode } from '../platform/wire/xml.ts'
import { isCutShort, normalize, type Pagina } from '../portal/pagina.ts'
import { type ParcelaDoSigef, type ParcelaLida, parseArea } from './rules.ts'
import {
  askPagina,
  failureOf,
  fonteAcervo,
  fonteSigef,
  type MeiosDoSigef,
  type ParcelaListada,
  parseDocumento,
  plain,
  unknownPage,
} from './source-sigef.ts'

type Painel = {
  valor: (rotulo: string) => string
  /** The single cells below a label that has no value of its own. */
  itens: (rotulo: string) => string[]
  colunas: string[]
  linhas: string[][]
}

/** Finds the panel of a title. Two panels have a "Denominação", so a label alone would be ambiguous. */
function findPainel($: CheerioAPI, titulo: string): Painel | undefined {
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
      .map((cell) => textOfCell($, cell))
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
function textOfCell($: CheerioAPI, cell: Row): string {
  const copy = $(cell).clone()
  const [br] = copy.find('br').toArray()
  while (br?.nextSibling) $(br.nextSibling).remove()
  copy.find('small, script').remove()
  return plain(copy.text())
}

/**
 * Vertices and borders may be longer than any page that is parsed. A farm may be called so, a panel's title
 * not.
 */
const VERTICES =
  /<[^<>]{0,200}\bpanel-header\b(?:(?!panel-)[\s\S]){0,1000}?V(?:é|&eacute;|&#233;)rtices da parcela/i

const missing = (what: string) => failureOf('parse', `mudou de página: a parcela não traz ${what}`)

/** Asks for the page of a parcel that the list named. One that SIGEF does not know contradicts the list. */
export const findParcela = (listada: ParcelaListada, meios: MeiosDoSigef): Promise<ParcelaLida> =>
  askPagina(
    `${fonteSigef.url}/geo/parcela/detalhe/${listada.uuid}/`,
    meios,
    (pagina) => {
      if (pagina.status === 404)
        throw failureOf('parse', 'se contradiz: não conhece uma parcela que a sua lista traz', {
          codigo: 'contradicao',
        })
      return readParcela(pagina, listada)
    },
    [404],
  )

function readParcela(pagina: Pagina, { uuid, nome }: ParcelaListada): ParcelaLida {
  const text = pagina.text()
  const $ = parseDocumento(text.slice(0, VERTICES.exec(text)?.index))
  const informacoes = findPainel($, 'INFORMACOES DA PARCELA')
  if (!informacoes || isCutShort(pagina)) throw unknownPage(pagina, 'não é a de uma parcela')
  if (informacoes.valor('CODIGO').toLowerCase() !== uuid)
    throw failureOf('parse', 'mostrou outra parcela', { codigo: 'contradicao' })
  const area = findPainel($, 'INFORMACOES DA AREA GEORREFERENCIADA')
  if (!area) throw missing('o quadro da área georreferenciada')
  const area_ha = parseArea(informacoes.valor('AREA'))
  if (area_ha === undefined) throw missing('a área em hectares')
  const { detentor, documentos } = detentoresOf(findPainel($, 'IDENTIFICACAO DO(A) DETENTOR(A)'))
  return {
    parcela: {
      codigo_parcela: uuid,
      denominacao: area.valor('DENOMINACAO') || nome,
      area_ha,
      ...municipioOf(area),
      detentor,
      matricula: matriculaOf($, area),
      status: present(
        (informacoes.valor('SITUACAO').split(' - ')[0] ?? '').trim().toUpperCase(),
        'a situação',
      ),
      natureza: present(area.valor('NATUREZA').toUpperCase(), 'a natureza'),
    },
    documentos,
  }
}

function present(value: string, what: string): string {
  if (value === '') throw missing(what)
  return value
}

/** The first municipality. Its name may hold " - ", so that the last one parts the state. */
function municipioOf(area: Painel): { municipio: string; uf: Uf } {
  const [first = ''] = area.itens('MUNICIPIOS')
  const at = first.lastIndexOf(' - ')
  const [municipio, uf] = [
    first.slice(0, Math.max(at, 0)).trim(),
    first
      .slice(at + 3)
      .trim()
      .toUpperCase(),
  ]
  if (municipio === '' || !isUf(uf)) throw missing('o município')
  return { municipio, uf }
}

function detentoresOf(painel: Painel | undefined): { detentor: string; documentos: string[] } {
  const [nome, documento] = painel?.colunas ?? []
  const names = (painel?.linhas ?? []).map(([name = '']) => name)
  if (!painel || nome !== 'NOME' || documento !== 'CPF/CNPJ' || names.length === 0 || names.includes(''))
    throw missing('o detentor')
  return {
    detentor: names.join('; '),
    documentos: painel.linhas.flatMap(([, shown = '']) => (shown === '' ? [] : [shown])),
  }
}

/** Only a parcel without a registration may lack the panel that tells it. */
function matriculaOf($: CheerioAPI, area: Painel): string {
  const registro = findPainel($, 'INFORMACOES DE REGISTRO')
  const isRegistered = /^im[óo]vel registrado$/i.test(area.valor('SITUACAO'))
  if (!registro && isRegistered) throw missing('o registro do imóvel')
  return registro?.valor('MATRICULA') ?? ''
}

const { source } = fonteAcervo

/** Clients wait two minutes for it. It only adds a date, so that we wait less. */
const ACERVO_MS = 20_000

type DaParcela = Pick<ParcelaDoSigef, 'codigo_parcela' | 'uf' | 'natureza'>

/** AAAA-MM-DD, `data_aprovacao` of INCRA's open map; empty where it has none. Throws SourceError. */
export const findCertificacao = (
  parcela: DaParcela,
  { http, guard, request_id, signal }: Pick<MeiosDoSigef, 'http' | 'guard' | 'request_id' | 'signal'>,
): Promise<string> =>
  guard({ source, deadlineMs: ACERVO_MS, request_id }, async (deadlineMs, note) => {
    const ask = { source, method: 'GET', url: enderecoOf(parcela), deadlineMs, signal } as const
    // MapServer says ISO-8859-1, or nothing. What is read is ASCII.
    const reply = await http.send({ ...ask, repeatable: true, charset: 'windows-1252' })
    const { status } = reply
    if (status !== 200) throw failure('http', `respondeu com erro (HTTP ${status})`, status)
    const data = dataIn(parseXml(reply.text()), parcela.codigo_parcela)
    if (data === undefined) throw failure('parse', 'mudou: não se entende a resposta sobre uma parcela')
    note({ vazia: data === '' })
    return data
  })

const failure = (kind: 'http' | 'parse', why: string, status?: number): SourceError =>
  new SourceError(kind, `${source.nome} ${why}.`, { source: source.id, elapsedMs: 0, status })

function enderecoOf({ codigo_parcela, uf, natureza }: DaParcela): string {
  const dono = natureza === 'PARTICULAR' ? 'particular' : 'publico'
  const tema = `certificada_sigef_${dono}_${uf.toLowerCase()}`
  const query = new URLSearchParams({
    tema,
    SERVICE: 'WFS',
    VERSION: '1.0.0',
    REQUEST: 'GetFeature',
    TYPENAME: tema,
    [`map_layer_${tema}_filter`]: `(('[parcela_codigo]'='${codigo_parcela}'))`,
  })
  return `${fonteAcervo.url}?${query}`
}

/** Undefined for an answer that is not of this parcel, or that tells two days. */
function dataIn(root: XmlNode | undefined, uuid: string): string | undefined {
  if (!Object.hasOwn(Object(root), 'FeatureCollection')) return undefined
  const features = children(child(root, 'FeatureCollection'), 'featureMember')
  const datas = new Set(features.map((feature) => dataOf(feature, uuid)))
  const [data = ''] = datas
  return datas.size > 1 || datas.has(undefined) ? undefined : data
}

function dataOf(feature: XmlNode, uuid: string): string | undefined {
  const codigo = findElement(feature, 'parcela_codigo')
  if (String(codigo).trim().toLowerCase() !== uuid) return undefined
  const layer = Object.values(Object(feature)).find((one) => textOf(one, 'parcela_codigo') !== '')
  const shown = textOf(layer, 'data_aprovacao')
  const match = /^(\d{4})[-/](\d{2})[-/](\d{2})(?:\D|$)/.exec(shown) ?? reversed(shown)
  if (!match) return shown === '' ? '' : undefined
  const [, ano = '', mes = '', dia = ''] = match
  const day = new Date(`${ano}-${mes}-${dia}T00:00:00Z`)
  const isDay = !Number.isNaN(day.getTime()) && day.getUTCDate() === Number(dia)
  return isDay ? `${ano}-${mes}-${dia}` : undefined
}

function reversed(shown: string): string[] | undefined {
  const match = /^(\d{2})[-/](\d{2})[-/](\d{4})(?:\D|$)/.exec(shown)
  return match ? [shown, match[3] ?? '', match[2] ?? '', match[1] ?? ''] : undefined
}
