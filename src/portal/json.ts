import type { Uf } from '../documento/uf.ts'
import { type LeitorDeCertidao, readMensagem, readPdf } from './certidao.ts'
import type { PerguntaCnd, RotaCnd } from './estado.ts'
import { isPdf, type Pagina, parseJson, textAt } from './pagina.ts'
import { converse, type PortalOptions, rota } from './rota.ts'
import type { Certidao } from './rules-certidao.ts'
import { type Campos, type Modo, type Portal, refuseKnown } from './visita.ts'

type PedidoJson = { url: string } & ({ campos: Campos } | { json: unknown })

export type JsonCertidaoOptions = PortalOptions & {
  leitor: LeitorDeCertidao
  /** The request that the page makes when it opens. Its answer holds the captcha. */
  antes?: { url: string; campos: Campos }
  /** Makes the question. `resposta` holds the answer to the captcha, in its field. */
  ask: (pergunta: PerguntaCnd, resposta: Campos, now: Date) => PedidoJson
  /** The path of the certificate (base64) in the JSON, such as `data.arquivo`. */
  pdf: string
  mensagem: string
}

/** The page's own script sends these headers. The API answers with any status. */
const headers = { accept: 'application/json, application/pdf, */*', 'x-requested-with': 'XMLHttpRequest' }
const AJAX: Modo = { headers, anyStatus: true }

/** A page that asks an API: the page (cookies, captcha), then the certificate, in JSON or as a file. */
export const jsonCertidao = (uf: Uf, options: JsonCertidaoOptions): RotaCnd => {
  const { url, antes, captcha, ask } = options
  const passos = converse<PerguntaCnd, Certidao>({
    open: async (portal) => {
      const shell = await portal.get(url)
      return antes ? portal.post(antes.url, antes.campos, { headers }) : shell
    },
    fill: () => ({}),
    captcha,
    send: ({ portal, pergunta, resposta }) => {
      const pedido = ask(pergunta, resposta, portal.meios.now())
      return 'json' in pedido
        ? portal.postJson(pedido.url, pedido.json, AJAX)
        : portal.post(pedido.url, pedido.campos, AJAX)
    },
    read: (portal, pergunta, answer) => readAnswer(portal, pergunta, answer, options),
  })
  return rota('json-certidao', uf, options, passos)
}

async function readAnswer(
  portal: Portal,
  pergunta: PerguntaCnd,
  answer: Pagina,
  { leitor: { read, dados }, pdf, mensagem }: JsonCertidaoOptions,
): Promise<Certidao> {
  if (isPdf(answer)) return read(portal, pergunta, answer)
  const json = parseJson(answer)
  const base64 = textAt(json, pdf).replace(/^data:[^,]{0,60},/, '')
  if (base64) {
    const file = Buffer.from(base64, 'base64')
    return readPdf(portal, pergunta, file, dados.layout ?? {}, answer.elapsedMs)
  }
  const said = textAt(json, mensagem)
  if (said) return readMensagem(portal, pergunta, answer, said)
  refuseKnown(answer, portal.failure)
  if (json === undefined) return read(portal, pergunta, answer)
  throw portal.failure('parse', 'respondeu sem certidão e sem mensagem')
}
