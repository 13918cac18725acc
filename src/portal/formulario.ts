import { setTimeout } from 'node:timers/promises'
import type { Uf } from '../documento/uf.ts'
import type { CaptchaSemResposta } from './captcha.ts'
import type { Pergunta } from './estado.ts'
import { choiceOf, stringsIn, TEXTO } from './form.ts'
import { isPdf, normalize, type Pagina } from './pagina.ts'
import { converse, type LeitorDaRota, type PortalOptions, type Preenchido, rota } from './rota.ts'
import { type Campos, encodeForm, type Portal, refuseKnown, throwDito } from './visita.ts'

export type FormularioOptions<P extends Pergunta, R, D extends object> = PortalOptions & {
  leitor: LeitorDaRota<P, R, D>
  /** The form (CSS) whose hidden fields go back. If left out, its page is only asked for cookies. */
  form?: string
  /** The address that takes the form, relative to its page. If left out, the form tells it. */
  destino?: string
  fill: (pergunta: P) => Campos
  /** Other fields for the same question, because the server may answer the first form with HTTP 500. */
  fillAgain?: (pergunta: P) => Campos
  /** The words of a page that asks for the same question again, and the additional fields. */
  confirmacao?: { texto: string; campos: Campos }
  documento?: Documento<P>
} & (
    | { metodo?: undefined }
    /** The form is sent with GET, and no page is asked before it: no captcha can be answered. */
    | { metodo: 'get'; captcha: CaptchaSemResposta }
  )

/** The element (CSS) that leads to the answer. Its button tells the query of `url`, else `consulta`. */
type Documento<P extends Pergunta> = { seletor: string; url: string; consulta: (pergunta: P) => Campos }

/** A page with a plain HTML form: the form's page (cookies, hidden fields, captcha), then its answer. */
export const formulario = <P extends Pergunta, R, D extends object>(
  uf: Uf,
  options: FormularioOptions<P, R, D>,
) => {
  // The list of sources has always shown the two purposes under these names.
  const familia = options.leitor.servico === 'cnd' ? 'formulario-certidao' : 'formulario'
  return rota(familia, uf, options, options.metodo === 'get' ? getWith(options) : sendWith(options))
}

const getWith =
  <P extends Pergunta, R, D extends object>({
    url,
    destino,
    fill,
    charset,
    leitor,
  }: FormularioOptions<P, R, D>) =>
  async (portal: Portal, pergunta: P): Promise<R> => {
    const target = new URL(destino ?? url, url)
    target.search = encodeForm(fill(pergunta), charset)
    return leitor.read(portal, pergunta, await portal.get(target.href))
  }

const sendWith = <P extends Pergunta, R, D extends object>(options: FormularioOptions<P, R, D>) => {
  const { url, form, destino, fill, fillAgain, captcha, confirmacao, documento } = options
  return converse<P, R>({
    open: url,
    harvest: form,
    fill: ({ pergunta }) => fill(pergunta),
    captcha,
    to: destino,
    send: fillAgain && ((preenchido) => sendTwice(preenchido, fillAgain, options)),
    follow: async (answer, preenchido) => {
      const next = confirmacao ? await confirm(answer, preenchido, confirmacao) : answer
      return documento ? followTo(next, preenchido, documento, options) : next
    },
    read: options.leitor.read,
  })
}

async function sendTwice<P extends Pergunta>(
  { portal, pergunta, to, ocultos, campos, resposta }: Preenchido<P>,
  fillAgain: (pergunta: P) => Campos,
  { paceMs = 0 }: Pick<PortalOptions, 'paceMs'>,
): Promise<Pagina> {
  const answer = await portal.post(to, campos, { anyStatus: true })
  if (answer.status !== 500) {
    refuseKnown(answer, portal.failure)
    return answer
  }
  // As slowly as a person would ask twice.
  await setTimeout(Math.max(0, Math.min(paceMs, portal.leftMs())))
  return portal.post(to, { ...ocultos, ...fillAgain(pergunta), ...resposta })
}

async function confirm<P extends Pergunta>(
  answer: Pagina,
  { portal, to, campos }: Preenchido<P>,
  { texto, campos: more }: { texto: string; campos: Campos },
): Promise<Pagina> {
  const isAsked = !isPdf(answer) && answer.words().includes(normalize(texto))
  return isAsked ? portal.post(to, { ...campos, ...more }) : answer
}

async function followTo<P extends Pergunta>(
  answer: Pagina,
  { portal, pergunta }: Preenchido<P>,
  { seletor, url, consulta }: Documento<P>,
  { charset }: Pick<PortalOptions, 'charset'>,
): Promise<Pagina> {
  if (isPdf(answer) || answer.html()(seletor).length === 0) return answer
  return portal.get(addressOf(answer, seletor, url) ?? `${url}?${encodeForm(consulta(pergunta), charset)}`)
}

/** A table of one certificate has fewer elements, and an address is shorter. */
const MOST_ELEMENTS = 200
const LONGEST_ADDRESS = 2_000

/** CE's button carries number, dates and name of the certificate (2026-04-29). */
function addressOf(pagina: Pagina, seletor: string, url: string): string | undefined {
  const $ = pagina.html()
  const wanted = new URL(url, pagina.url).href
  for (const element of $(`${seletor} *`).slice(0, MOST_ELEMENTS)) {
    const { href, formaction, onclick = '' } = $(element).attr() ?? {}
    const written = [href, formaction, ...stringsIn(onclick.slice(0, LONGEST_ADDRESS))]
    const found = written.find(
      (one) => one && URL.canParse(one, pagina.url) && new URL(one, pagina.url).href.startsWith(`${wanted}?`),
    )
    if (found) return new URL(found, pagina.url).href
  }
  return undefined
}

export type MvcOptions<P extends Pergunta, R, D extends object> = PortalOptions & {
  leitor: LeitorDaRota<P, R, D>
  acao: string
  fill: (pergunta: P) => Campos
  /** The list (CSS) of the kinds of document, with the words of `documentos`, and the field for its value. */
  tipo?: { campo: string; seletor: string }
  /** The hidden field (CSS) with a message, and its words about a captcha. */
  erro?: { seletor: string; captcha: RegExp }
}

/** A page of ASP.NET MVC, whose action answers with the page of the result, or with the file. */
export const mvc = <P extends Pergunta, R, D extends object>(uf: Uf, options: MvcOptions<P, R, D>) => {
  const { leitor, url, acao, fill, captcha, tipo, documentos, erro } = options
  const passos = converse<P, R>({
    open: url,
    // A page may have other forms (search, newsletter). The token is of the one with a text field.
    harvest: `form:has(${TEXTO})`,
    fill: ({ portal, pagina, pergunta }) => {
      const kind = documentos[pergunta.tipo] ?? ''
      const choice = tipo && { [tipo.campo]: choiceOf(portal, pagina, tipo.seletor, kind).value }
      return { ...choice, ...fill(pergunta) }
    },
    captcha,
    to: acao,
    follow: async (answer, { portal, pergunta }) => {
      if (erro) throwErro(portal, pergunta, answer, erro)
      return answer
    },
    read: leitor.read,
  })
  return rota('mvc', uf, options, passos)
}

function throwErro(
  portal: Portal,
  { tipo }: Pergunta,
  pagina: Pagina,
  { seletor, captcha }: { seletor: string; captcha: RegExp },
): void {
  const said = normalize(pagina.html()(seletor).first().attr('value') ?? '')
  if (!said) return
  if (captcha.test(said)) throw portal.fail('captcha-errado', tipo)
  throwDito(portal, said, tipo)
  throw portal.failure('parse', 'deu uma mensagem que não se conhece')
}
