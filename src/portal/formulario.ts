import type { Uf } from '../documento/uf.ts'
import { type Campos, encodeForm } from './campos.ts'
import { type Entrega, readEntrega } from './certidao.ts'
import type { PerguntaCnd, RotaCnd } from './estado.ts'
import { isPdf, normalize, type Pagina } from './pagina.ts'
import type { Portal } from './portal.ts'
import { actionOf, harvest } from './portal-form.ts'
import { type DaCertidao, type PortalOptions, portalCnd } from './rota.ts'
import { stringsIn } from './script.ts'

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
    const answer = await send(portal, pergunta, options)
    return readEntrega(portal, pergunta, await follow(portal, pergunta, answer, options), options)
  })

async function send(
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
