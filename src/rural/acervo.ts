import { SourceError } from '../platform/wire/fonte.ts'
import { child, children, findElement, parseXml, textOf, type XmlNode } from '../platform/wire/xml.ts'
import { fonteAcervo } from './fonte.ts'
import type { ParcelaDoSigef } from './parcela.ts'
import type { MeiosDoSigef } from './source-sigef.ts'

const { source } = fonteAcervo

/** Clients wait two minutes for it. It only adds a date, so that we wait less. */
const ACERVO_MS = 20_000

type DaParcela = Pick<ParcelaDoSigef, 'codigo_parcela' | 'uf' | 'natureza'>

/**
 * The day on which a parcel was certified (AAAA-MM-DD), by `data_aprovacao` of INCRA's open map; empty where
 * it has none. Throws SourceError.
 */
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

/** Each state has a layer of private land and one of public land. */
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
