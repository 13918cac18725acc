import { formatDocumento, type TipoDocumento } from '../documento/documento.ts'
import type { Uf } from '../documento/uf.ts'
import { RotaNaoAtende } from '../platform/wire/fonte.ts'
import type { CaptchaDaPagina } from './captcha.ts'
import { answerCaptcha } from './captcha-resposta.ts'
import type { Espera, Meios, Pergunta, Rota, RotaCnd, RotaIe } from './estado.ts'
import { actionOf, harvest } from './form.ts'
import { isPdf, normalize, type Pagina, parseHtml, textosOf } from './pagina.ts'
import { semProtocolo } from './rotas.ts'
import type { Inscricao } from './rules-inscricao.ts'
import { type Campos, type Portal, visit } from './visita.ts'

/** The options that every portal has in a state's file. Each protocol adds its own. */
export type PortalOptions = Omit<Rota, 'familia' | 'source' | 'aceita' | 'captcha' | 'espera'> & {
  captcha: CaptchaDaPagina
  /** The documents that the page takes, each with the state's own code for it (empty if it has none). */
  documentos: Partial<Record<TipoDocumento, string>>
  /** The charset of its pages and forms. If left out, the headers of each page tell it. */
  charset?: 'utf-8' | 'iso-8859-1' | 'windows-1252'
  /** Another route is tried first: the state's web service, or its newer page. */
  segunda?: true
}

/** The purpose of a route: what it tells besides its page, and how its last page is read. */
export type LeitorDaRota<P extends Pergunta, R, D extends object = object> = {
  servico: 'ie' | 'cnd'
  dados: D & { espera: Espera }
  read: (portal: Portal, pergunta: P, pagina: Pagina) => Promise<R>
}

type RotaDe<P extends Pergunta, R, D> = Rota & D & { ask: (pergunta: P, meios: Meios) => Promise<R> }

/** What a route is made of. The engine answers no captcha of a route that is never asked. */
type RotaOptions = Omit<PortalOptions, 'captcha'> & Pick<Rota, 'captcha'>

const ordens = { ie: ['ie', 'ie-portal'], cnd: ['cnd', 'cnd-antiga'] } as const

/** Makes a route. `familia` is the name of its protocol, and `flow` its conversation in one visit. */
export function rota<P extends Pergunta, R, D extends object>(
  familia: string,
  uf: Uf,
  options: RotaOptions & { leitor: Pick<LeitorDaRota<P, R, D>, 'servico' | 'dados'> },
  flow: (portal: Portal, pergunta: P) => Promise<R>,
): RotaDe<P, R, D> {
  const { leitor } = options
  const { documentos, url, captcha, charset, paceMs, horario, certeza, origem, em, nota, segunda } = options
  const source = { id: `${uf}/${ordens[leitor.servico][segunda ? 1 : 0]}`, nome: `A SEFAZ-${uf}` }
  const visita = { uf, source, url, captcha, ...(charset && { charset }) }
  return {
    familia,
    source,
    url,
    aceita: (['cnpj', 'cpf', 'ie'] as const).filter((tipo) => documentos[tipo] !== undefined),
    captcha,
    certeza,
    origem,
    em,
    ...(paceMs !== undefined && { paceMs }),
    ...(horario !== undefined && { horario }),
    ...(nota !== undefined && { nota }),
    ...leitor.dados,
    ask: (pergunta, meios) =>
      visit(visita, meios, async (portal) => {
        const answer = await flow(portal, pergunta)
        const ultima = portal.ultima()
        if (ultima) meios.relato?.pagina(() => wordsOf(ultima))
        return answer
      }),
  }
}

/** JSON counts whole. In a `partial-response` the pieces count, which the parser takes for comments. */
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

type DesconhecidaOptions = Omit<PortalOptions, 'captcha' | 'certeza' | 'charset' | 'paceMs'> &
  Pick<Rota, 'captcha'>

/** A route that is never asked needs no `espera`. */
const espera: Espera = { marca: '', minimo: 0 }

/** Listed, but never asked nor simulated: RotaNaoAtende names the address where a person can ask. */
export const desconhecidaIe = (uf: Uf, options: DesconhecidaOptions): RotaIe =>
  desconhecida<Pergunta, Inscricao[], object>(uf, {
    ...options,
    leitor: { servico: 'ie', dados: { espera } },
  })

/** A page of certificates whose requests are unknown. The registrations are not looked up for it either. */
export const desconhecidaCnd = (
  uf: Uf,
  { abrange, ...options }: DesconhecidaOptions & Pick<RotaCnd, 'abrange'>,
): RotaCnd => {
  const dados = { espera, abrange, naoContribuinte: 'pagina' as const }
  return desconhecida(uf, { ...options, leitor: { servico: 'cnd', dados } })
}

const desconhecida = <P extends Pergunta, R, D extends object>(
  uf: Uf,
  options: DesconhecidaOptions & { leitor: Pick<LeitorDaRota<P, R, D>, 'servico' | 'dados'> },
): RotaDe<P, R, D> =>
  rota('desconhecida', uf, { ...options, certeza: 'desconhecido' }, async ({ source }) => {
    throw new RotaNaoAtende(semProtocolo({ source, url: options.url }))
  })

/** The page of the question, before its form is filled in. `ocultos`: its hidden fields as they came. */
export type Aberto<P extends Pergunta> = { portal: Portal; pergunta: P; pagina: Pagina; ocultos: Campos }

/** The form as it is sent. `resposta` has the fields of the captcha alone. */
export type Preenchido<P extends Pergunta> = Aberto<P> & { to: string; campos: Campos; resposta: Campos }

/** The steps of a visit, in the order in which the engine takes them. */
export type Passos<P extends Pergunta, R> = {
  /** Opens the page of the question: an address, or what else leads there. */
  open: string | ((portal: Portal, pergunta: P) => Promise<Pagina>)
  /** The form (CSS) whose hidden fields go back. None go back if left out. */
  harvest?: string | undefined
  fill: (aberto: Aberto<P>) => Campos
  /** The route's captcha; a function for a page whose captcha is not found by that. */
  captcha: CaptchaDaPagina | ((portal: Portal, pagina: Pagina) => Promise<Campos>)
  /** The address that takes the form. If left out, the form tells it. */
  to?: string | undefined
  /** Sends the form, if not by a plain POST. */
  send?: ((preenchido: Preenchido<P>) => Promise<Pagina>) | undefined
  /** The way from the answer to the page that is read, if it is another. */
  follow?: ((answer: Pagina, aberto: Preenchido<P>) => Promise<Pagina>) | undefined
  read: (portal: Portal, pergunta: P, pagina: Pagina) => Promise<R>
}

/** The engine: makes the conversation of a visit of its steps. */
export const converse =
  <P extends Pergunta, R>(passos: Passos<P, R>) =>
  async (portal: Portal, pergunta: P): Promise<R> => {
    const { open, harvest: form, fill, captcha, send = post, follow, read } = passos
    const pagina = typeof open === 'string' ? await portal.get(open) : await open(portal, pergunta)
    const ocultos = form ? harvest(portal, pagina, form) : {}
    const aberto = { portal, pergunta, pagina, ocultos }
    const asked = fill(aberto)
    const resposta =
      typeof captcha === 'function'
        ? await captcha(portal, pagina)
        : await answerCaptcha(portal, pagina, captcha)
    const preenchido = {
      ...aberto,
      // A page whose form is not used is not read for its address.
      get to() {
        return passos.to ? new URL(passos.to, pagina.url).href : actionOf(pagina, form ?? 'form')
      },
      campos: { ...ocultos, ...asked, ...resposta },
      resposta,
    }
    const answer = await send(preenchido)
    return read(portal, pergunta, follow ? await follow(answer, preenchido) : answer)
  }

const post = ({ portal, to, campos }: Pick<Preenchido<Pergunta>, 'portal' | 'to' | 'campos'>) =>
  portal.post(to, campos)
