import type { Uf } from '../documento/uf.ts'
import { answerCaptcha, type CampoDoCaptcha } from './captcha-resposta.ts'
import { type Entrega, readEntrega, readPdf } from './certidao.ts'
import { readCertidaoPage } from './certidao-pagina.ts'
import type { PerguntaCnd, RotaCnd } from './estado.ts'
import { isPdf, type Pagina, parseJson, textAt } from './pagina.ts'
import { type DaCertidao, type PortalOptions, portalCnd } from './rota.ts'
import type { Certidao } from './rules-certidao.ts'
import type { Campos, Modo, Portal } from './visita.ts'
import { refuseKnown } from './visita.ts'

/** The form of the question: fields, or JSON. The address may be relative to the first page. */
type PedidoJson = { url: string } & ({ campos: Campos } | { json: unknown })

/** The options of an API for certificates in a state's file. */
export type JsonCertidaoOptions = PortalOptions &
  DaCertidao &
  Pick<Entrega, 'layout'> & {
    /** The request that the page makes when it opens. Its answer holds the captcha. */
    antes?: { url: string; campos: Campos }
    /** Makes the question. `resposta` holds the answer to the captcha, in its field. */
    pedir: (pergunta: PerguntaCnd, resposta: Campos, now: Date) => PedidoJson
    /** The field that takes the answer to the captcha. */
    resposta?: CampoDoCaptcha
    /** The path of the certificate (base64) in the JSON, such as `data.arquivo`. */
    pdf: string
    /** The path of the message in the place of a certificate. */
    mensagem: string
  }

/** The page's own script sends these headers. The API answers with any status. */
const AJAX: Modo = {
  headers: { accept: 'application/json, application/pdf, */*', 'x-requested-with': 'XMLHttpRequest' },
  anyStatus: true,
}

/** A page that asks an API: the page (cookies, captcha), then the certificate, in JSON or as a file. */
export const jsonCertidao = (uf: Uf, options: JsonCertidaoOptions): RotaCnd =>
  portalCnd('json-certidao', uf, options, async (portal, pergunta) => {
    const { url, antes, captcha, resposta, pedir } = options
    const shell = await portal.get(url)
    const pagina = antes ? await portal.post(antes.url, antes.campos, { headers: AJAX.headers ?? {} }) : shell
    const answered = await answerCaptcha(portal, pagina, captcha, resposta)
    const answer = await send(portal, pedir(pergunta, answered, portal.meios.now()))
    return readAnswer(portal, pergunta, answer, options)
  })

const send = (portal: Portal, pedido: PedidoJson): Promise<Pagina> =>
  'json' in pedido
    ? portal.postJson(pedido.url, pedido.json, AJAX)
    : portal.post(pedido.url, pedido.campos, AJAX)

async function readAnswer(
  portal: Portal,
  pergunta: PerguntaCnd,
  answer: Pagina,
  { pdf, mensagem, layout }: JsonCertidaoOptions,
): Promise<Certidao> {
  const { source } = portal
  const { elapsedMs } = answer
  if (isPdf(answer)) return readEntrega(portal, pergunta, answer, { layout })
  const json = parseJson(answer)
  const base64 = textAt(json, pdf)
  if (base64)
    return readPdf(
      portal,
      pergunta,
      Buffer.from(base64.replace(/^data:[^,]{0,60},/, ''), 'base64'),
      layout,
      elapsedMs,
    )
  const said = textAt(json, mensagem)
  if (said) return readCertidaoPage(said, { source, documento: pergunta.documento, elapsedMs })
  refuseKnown(answer, portal.failure)
  if (json === undefined) return readEntrega(portal, pergunta, answer, { layout })
  throw portal.failure('parse', 'respondeu sem certidão e sem mensagem')
}
