import { setTimeout } from 'node:timers/promises'
import type { Uf } from '../documento/uf.ts'
import { answerCaptcha, type CampoDoCaptcha } from './captcha-resposta.ts'
import { type Entrega, readEntrega } from './certidao.ts'
import type { Pergunta, PerguntaCnd, RotaCnd, RotaIe } from './estado.ts'
import { actionOf, choiceOf, harvest, stringsIn, TEXTO } from './form.ts'
import { isPdf, normalize, type Pagina } from './pagina.ts'
import { type ResultadoOptions, readResultado, resultadoOf } from './resultado.ts'
import { type DaCertidao, type PortalOptions, portalCnd, portalIe } from './rota.ts'
import { type Campos, encodeForm, type Portal, refuseKnown, throwDito } from './visita.ts'

/** The options of a plain form in a state's file. */
export type FormularioOptions = PortalOptions &
  ResultadoOptions & {
    /** The route is tried after the state's web service. */
    segunda?: true
    /**
     * The form (CSS) whose hidden fields go back. If left out, the first page is only asked for its cookies.
     */
    form?: string
    /** The address that takes the form, relative to its page. If left out, the form tells it. */
    destino?: string
    /** The form is sent with GET, and no page is asked before it. */
    metodo?: 'get'
    /** The fields of the question. */
    preencher: (pergunta: Pergunta) => Campos
    /** Other fields for the same question, because the server may answer the first form with HTTP 500. */
    preencherDenovo?: (pergunta: Pergunta) => Campos
    /** The field that takes the answer to the captcha. */
    resposta?: CampoDoCaptcha
  }

/** A page with a plain HTML form: the form's page (cookies, hidden fields, captcha), then its answer. */
export function formulario(uf: Uf, options: FormularioOptions): RotaIe {
  const resultado = resultadoOf(options)
  return portalIe('formulario', uf, options, async (portal, pergunta) => {
    const answer = await send(portal, pergunta, options)
    return readResultado(portal, pergunta, answer, resultado)
  })
}

async function send(portal: Portal, pergunta: Pergunta, options: FormularioOptions): Promise<Pagina> {
  const { url, form, destino, metodo, preencher, preencherDenovo, captcha, resposta, charset } = options
  if (metodo === 'get') {
    const target = new URL(destino ?? url, url)
    target.search = encodeForm(preencher(pergunta), charset)
    return portal.get(target.href)
  }
  const pagina = await portal.get(url)
  const hidden = form ? harvest(portal, pagina, form) : {}
  const answered = await answerCaptcha(portal, pagina, captcha, resposta)
  const target = destino ? new URL(destino, pagina.url).href : actionOf(pagina, form ?? 'form')
  const fields = { ...hidden, ...preencher(pergunta), ...answered }
  if (!preencherDenovo) return portal.post(target, fields)
  const answer = await portal.post(target, fields, { anyStatus: true })
  if (answer.status !== 500) {
    refuseKnown(answer, portal.failure)
    return answer
  }
  // As slowly as a person would ask twice.
  await setTimeout(Math.max(0, Math.min(options.paceMs ?? 0, portal.leftMs())))
  return portal.post(target, { ...hidden, ...preencherDenovo(pergunta), ...answered })
}

/** The options of a plain form for certificates in a state's file. */
export type FormularioCertidaoOptions = PortalOptions &
  DaCertidao &
  Pick<RotaCnd, 'emHtml'> &
  Entrega & {
    /**
     * The form (CSS) whose hidden fields go back. If left out, the first page is only asked for its cookies.
     */
    form?: string
    /** The address that takes the form, relative to its page. If left out, the form tells it. */
    destino?: string
    /** The fields of the question. */
    preencher: (pergunta: PerguntaCnd) => Campos
    /** The words of a page that asks for the same question again, and the additional fields. */
    confirmacao?: { texto: string; campos: Campos }
    /**
     * The element (CSS) of a page that leads to the certificate, and the certificate's address (relative).
     * Its query is that of the element's button, else this one.
     */
    documento?: { seletor: string; url: string; consulta: (pergunta: PerguntaCnd) => Campos }
  }

/** A plain HTML form whose answer is the certificate, or leads to it. */
export const formularioCertidao = (uf: Uf, options: FormularioCertidaoOptions): RotaCnd =>
  portalCnd('formulario-certidao', uf, options, async (portal, pergunta) => {
    const answer = await sendCertidao(portal, pergunta, options)
    return readEntrega(portal, pergunta, await follow(portal, pergunta, answer, options), options)
  })

async function sendCertidao(
  portal: Portal,
  pergunta: PerguntaCnd,
  options: FormularioCertidaoOptions,
): Promise<Pagina> {
  const { url, form, destino, preencher, confirmacao } = options
  const pagina = await portal.get(url)
  const hidden = form ? harvest(portal, pagina, form) : {}
  const target = destino ? new URL(destino, pagina.url).href : actionOf(pagina, form ?? 'form')
  const campos = { ...hidden, ...preencher(pergunta) }
  const answer = await portal.post(target, campos)
  if (isPdf(answer) || !confirmacao || !answer.words().includes(normalize(confirmacao.texto))) return answer
  return portal.post(target, { ...campos, ...confirmacao.campos })
}

async function follow(
  portal: Portal,
  pergunta: PerguntaCnd,
  answer: Pagina,
  { documento, charset }: FormularioCertidaoOptions,
): Promise<Pagina> {
  if (!documento || isPdf(answer) || answer.html()(documento.seletor).length === 0) return answer
  const { seletor, url, consulta } = documento
  return portal.get(addressOf(answer, seletor, url) ?? `${url}?${encodeForm(consulta(pergunta), charset)}`)
}

/** A table of one certificate has fewer elements, and an address is shorter. */
const MOST_ELEMENTS = 200
const LONGEST_ADDRESS = 2_000

/**
 * The address that a link or a button in the element opens, if it is `url` with a query. CE's button carries
 * number, dates and name of the certificate (2026-04-29).
 */
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

/** The options of a page of ASP.NET MVC in a state's file. */
type MvcOptions = PortalOptions & {
  /** The action of the controller that takes the question. */
  acao: string
  /** The fields of the question. */
  preencher: (pergunta: Pergunta) => Campos
  /** The list (CSS) of the kinds of document, with the words of `documentos`, and the field for its value. */
  tipo?: { campo: string; seletor: string }
  resposta?: CampoDoCaptcha
}

/**
 * The options of a registry. `erro`: the hidden field (CSS) with a message, and its words about a captcha.
 */
export type MvcIeOptions = MvcOptions &
  ResultadoOptions & { segunda?: true; erro?: { seletor: string; captcha: RegExp } }

/**
 * A registry on ASP.NET MVC. Its form may have an anti-forgery token, and its action answers with the page of
 * the result.
 */
export function mvc(uf: Uf, options: MvcIeOptions): RotaIe {
  const resultado = resultadoOf(options)
  return portalIe('mvc', uf, options, async (portal, pergunta) => {
    const answer = await askMvc(portal, pergunta, options)
    throwErro(portal, pergunta, answer, options)
    return readResultado(portal, pergunta, answer, resultado)
  })
}

/** Throws the failure of the hidden message of a page, and SourceError `parse` if the message is unknown. */
function throwErro(portal: Portal, { tipo }: Pergunta, pagina: Pagina, { erro }: MvcIeOptions): void {
  const said = erro ? normalize(pagina.html()(erro.seletor).first().attr('value') ?? '') : ''
  if (!said) return
  if (erro?.captcha.test(said)) throw portal.fail('captcha-errado', tipo)
  throwDito(portal, said, tipo)
  throw portal.failure('parse', 'deu uma mensagem que não se conhece')
}

/** The options of a page of certificates. */
export type MvcCertidaoOptions = MvcOptions & DaCertidao & Required<Entrega>

/** Certificates on ASP.NET MVC. The action answers with the PDF, or with a page that has the message. */
export const mvcCertidao = (uf: Uf, options: MvcCertidaoOptions): RotaCnd =>
  portalCnd('mvc', uf, options, async (portal, pergunta) =>
    readEntrega(portal, pergunta, await askMvc(portal, pergunta, options), options),
  )

async function askMvc(portal: Portal, pergunta: Pergunta, options: MvcOptions): Promise<Pagina> {
  const { url, acao, preencher, captcha, resposta } = options
  const pagina = await portal.get(url)
  // A page may have other forms (search, newsletter). The token is of the one with a text field.
  const hidden = harvest(portal, pagina, `form:has(${TEXTO})`)
  const choice = kindOf(portal, pagina, pergunta, options)
  const solved = await answerCaptcha(portal, pagina, captcha, resposta)
  return portal.post(acao, { ...hidden, ...choice, ...preencher(pergunta), ...solved })
}

function kindOf(portal: Portal, pagina: Pagina, { tipo: kind }: Pergunta, options: MvcOptions): Campos {
  const { tipo, documentos } = options
  if (!tipo) return {}
  const { value } = choiceOf(portal, pagina, tipo.seletor, documentos[kind] ?? '')
  return { [tipo.campo]: value }
}
