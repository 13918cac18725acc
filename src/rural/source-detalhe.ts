import type { CheerioAPI } from 'cheerio/slim'
import { isUf, type Uf } from '../documento/uf.ts'
import { isCutShort, type Pagina } from '../portal/pagina.ts'
import { parseArea } from './area.ts'
import { parseDocumento } from './documento.ts'
import { fonteSigef } from './fonte.ts'
import type { ParcelaListada } from './lista.ts'
import { findPainel, type Painel } from './painel.ts'
import type { ParcelaLida } from './parcela.ts'
import { failureOf, type MeiosDoSigef, pedir, unknownPage } from './source-sigef.ts'

/**
 * The lists of vertices and borders follow what is read, and may be longer than any page that is parsed. Only
 * the title of their panel ends the text: a farm may be called so.
 */
const VERTICES =
  /<[^<>]{0,200}\bpanel-header\b(?:(?!panel-)[\s\S]){0,1000}?V(?:é|&eacute;|&#233;)rtices da parcela/i

const missing = (what: string) => failureOf('parse', `mudou de página: a parcela não traz ${what}`)

/** Asks for the page of a parcel that the list named. One that SIGEF does not know contradicts the list. */
export const findParcela = (listada: ParcelaListada, meios: MeiosDoSigef): Promise<ParcelaLida> =>
  pedir(
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

/** Reads the page of a parcel. Throws SourceError for another page, or another parcel. */
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
