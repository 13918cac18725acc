import { formatDocumento, type TipoDocumento } from '../documento/documento.ts'
import type { Uf } from '../documento/uf.ts'
import { RotaNaoAtende } from '../platform/wire/fonte.ts'
import {
  type Espera,
  type Meios,
  type Pergunta,
  type PerguntaCnd,
  type Rota,
  type RotaCnd,
  type RotaIe,
  semProtocolo,
} from './estado.ts'
import { isPdf, normalize, type Pagina, parseHtml, textosOf } from './pagina.ts'
import type { Inscricao } from './rules-inscricao.ts'
import type { Portal } from './visita.ts'
import { visit } from './visita.ts'

/** The options of a portal in a state's file. Each family adds its own. */
export type PortalOptions = Required<Pick<Rota, 'espera'>> &
  Omit<Rota, 'familia' | 'source' | 'aceita'> & {
    /** The documents that the page takes, each with the state's own code for it (empty if it has none). */
    documentos: Partial<Record<TipoDocumento, string>>
    /** The charset of its pages and forms. If left out, the headers of each page tell it. */
    charset?: 'utf-8' | 'iso-8859-1' | 'windows-1252'
  }

/** What a state's file says of its certificate besides the page. */
export type DaCertidao = Pick<RotaCnd, 'naoContribuinte' | 'abrange' | 'layout'> & {
  espera: Required<Pick<Espera, 'partes'>>
}

/** The service that a portal gives. `ie-portal` and `cnd-antiga` replace the first route of a state. */
type Servico = 'ie' | 'ie-portal' | 'cnd' | 'cnd-antiga'

/** Makes a route to registrations. `flow` is the family's conversation in one visit. */
export const portalIe = (
  familia: string,
  uf: Uf,
  options: PortalOptions & { segunda?: true },
  flow: (portal: Portal, pergunta: Pergunta) => Promise<Inscricao[]>,
): RotaIe => {
  const { segunda, ...rest } = options
  const ficha = fichaOf(familia, uf, segunda ? 'ie-portal' : 'ie', rest)
  return { ...ficha, consultar: (pergunta, meios) => ask(ficha, uf, options, meios, pergunta, flow) }
}

/** Makes a route to certificates. */
export const portalCnd = (
  familia: string,
  uf: Uf,
  options: PortalOptions & DaCertidao & Pick<RotaCnd, 'emHtml'> & { segunda?: true },
  flow: (portal: Portal, pergunta: PerguntaCnd) => ReturnType<RotaCnd['consultar']>,
): RotaCnd => {
  const { naoContribuinte, abrange, layout, emHtml, segunda, ...rest } = options
  const ficha = fichaOf(familia, uf, segunda ? 'cnd-antiga' : 'cnd', rest)
  return {
    ...ficha,
    naoContribuinte,
    abrange,
    ...(layout && { layout }),
    ...(emHtml && { emHtml }),
    consultar: (pergunta, meios) => ask(ficha, uf, options, meios, pergunta, flow),
  }
}

function fichaOf(familia: string, uf: Uf, servico: Servico, options: PortalOptions): Rota {
  const { documentos, url, captcha, paceMs, espera, horario, certeza, origem, em, nota } = options
  const aceita = (['cnpj', 'cpf', 'ie'] as const).filter((tipo) => documentos[tipo] !== undefined)
  return {
    familia,
    source: { id: `${uf}/${servico}`, nome: `A SEFAZ-${uf}` },
    url,
    aceita,
    captcha,
    certeza,
    origem,
    em,
    ...(paceMs !== undefined && { paceMs }),
    espera,
    ...(horario !== undefined && { horario }),
    ...(nota !== undefined && { nota }),
  }
}

/** Visits a portal with one question. */
const ask = <P extends Pergunta, R>(
  { source, url }: Rota,
  uf: Uf,
  { charset, captcha, emHtml }: PortalOptions & Pick<RotaCnd, 'emHtml'>,
  meios: Meios,
  pergunta: P,
  flow: (portal: Portal, pergunta: P) => Promise<R>,
): Promise<R> => {
  const visita = { uf, source, url, captcha, ...(charset && { charset }), ...(emHtml && { emHtml }) }
  return visit(visita, meios, async (portal) => {
    const answer = await flow(portal, pergunta)
    const ultima = portal.ultima()
    if (ultima) meios.relato?.pagina(() => wordsOf(ultima))
    return answer
  })
}

/**
 * The visible words of a page, as `normalize` gives them. JSON counts whole, and a PDF has none; in a JSF
 * `partial-response` the pieces of page count, which an HTML parser takes for comments.
 */
function wordsOf(pagina: Pagina): string {
  if (isPdf(pagina)) return ''
  const text = pagina.text()
  if (/^\s*[[{]/.test(text)) return normalize(text)
  if (!text.includes('<![CDATA[')) return pagina.words()
  return normalize(textosOf(parseHtml(text.replace(/<!\[CDATA\[|\]\]>/g, '')).root()).join(' '))
}

/** Writes a document in the form that a portal wants. */
export const writeDocumento = ({ documento, tipo }: Pergunta, forma: 'digitos' | 'mascara'): string =>
  forma === 'mascara' && tipo !== 'ie' ? formatDocumento(documento) : documento

/** The options of a page whose requests are unknown. */
type DesconhecidaOptions = Omit<PortalOptions, 'certeza' | 'charset' | 'espera' | 'paceMs'> & {
  segunda?: true
}

/** A route that is never asked needs no `espera`. */
const nunca = { certeza: 'desconhecido', espera: { marca: '', minimo: 0, partes: [] } } as const

/**
 * A page of registrations whose requests are unknown. It is listed, but never asked nor simulated:
 * RotaNaoAtende names the address where a person can ask.
 */
export const desconhecidaIe = (uf: Uf, options: DesconhecidaOptions): RotaIe =>
  portalIe('desconhecida', uf, { ...options, ...nunca }, refuse(options))

/** A page of certificates whose requests are unknown. The registrations are not looked up for it either. */
export const desconhecidaCnd = (uf: Uf, options: DesconhecidaOptions & Pick<RotaCnd, 'abrange'>): RotaCnd =>
  portalCnd('desconhecida', uf, { ...options, ...nunca, naoContribuinte: 'pagina' }, refuse(options))

const refuse =
  ({ url }: DesconhecidaOptions) =>
  async ({ source }: Portal): Promise<never> => {
    throw new RotaNaoAtende(semProtocolo({ source, url }))
  }
