import { setTimeout as pause } from 'node:timers/promises'
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { ApiError, errorCodes } from '../platform/errors.ts'
import { explainFailure, isLeaving } from '../platform/http/problem.ts'
import { type Content, type Html, html, url } from '../platform/pages/html.ts'
import { type MolduraDoSite, writePage } from '../platform/pages/layout.ts'
import { cabecalhosDePagina, DeFora } from '../platform/pages/moldura.ts'
import type { Platform } from '../platform/platform.ts'
import { codeOf } from '../platform/wire/fonte.ts'
import { isAssunto } from './busca.ts'

/** What a program is told that asks for what is not there. A person gets a link in its place. */
export const TODAS_AS_ROTAS = 'A lista das rotas está em /documentacao.'

/** Tells a failure as a page. What is unexpected is logged, and shown by the request's number alone. */
export const paginaDoErro =
  ({ log }: Pick<Platform, 'log'>, moldura: MolduraDoSite) =>
  async (thrown: FastifyError, request: FastifyRequest, reply: FastifyReply): Promise<string> => {
    if (isLeaving(thrown, request)) return ''
    const isOther = codeOf(thrown) === OUTRO_TIPO
    const error = explainFailure({ log }, request, isOther ? soFormularios : thrown)
    const isForeign = isOther || thrown instanceof DeFora
    // Else Node would read the body to its end, to throw it away; Fastify does the same with a 413.
    if (isForeign) reply.header('connection', 'close')
    const { status } = errorCodes[error.code]
    if (isForeign || status === 413) await pause(RECUSA_MS)
    if (error.retryS !== null) reply.header('retry-after', error.retryS)
    reply.headers({ ...cabecalhosDePagina, 'cache-control': 'no-store' })
    reply.code(status).type('text/html; charset=utf-8')
    return drawErro(error, request, moldura)
  }

/** The page of an address that the router could not decode, which no hook has seen. */
export function drawIlegivel(request: FastifyRequest, reply: FastifyReply, moldura: MolduraDoSite): string {
  reply.headers(cabecalhosDePagina).code(404).type('text/html; charset=utf-8')
  return drawErro(ilegivel, request, moldura)
}

const ilegivel = new ApiError(
  'ROTA_NAO_ENCONTRADA',
  'Este endereço não pôde ser lido: há nele um % fora do lugar.',
)

/** Fastify's word for a body of a type that nobody reads here. The body itself is not read then. */
const OUTRO_TIPO = 'FST_ERR_CTP_INVALID_MEDIA_TYPE'

/** Who sends such requests without end takes the thread 10 times a second and connection, not 250 times. */
const RECUSA_MS = 100

const soFormularios = new ApiError(
  'TIPO_NAO_SUPORTADO',
  'As páginas recebem só os seus próprios formulários. Envie-o pela página, ou use a API, que recebe JSON.',
)

/** What people read in the place of a status that means nothing to them. */
const titulos: Readonly<Record<number, string>> = {
  400: 'Este pedido não foi aceito',
  404: 'Página não encontrada',
  405: 'Este endereço não se abre assim',
  413: 'O que foi enviado é grande demais',
  429: 'Muitos pedidos em pouco tempo',
  500: 'Algo deu errado do nosso lado',
  503: 'Fora do ar por um instante',
}

/** What to do after a failure, besides going elsewhere. */
const conselhos: Readonly<Record<number, string>> = {
  400: 'Volte à página, confira o que preencheu e envie de novo.',
  403: 'Fale com quem opera este serviço: só ele pode mudar isso.',
  404: 'Confira o endereço, ou procure pelo assunto.',
  405: 'Abra a página pelo menu ou por um dos caminhos abaixo.',
  413: 'Volte à página e envie menos de cada vez.',
  500: 'Tente de novo. Se continuar, passe o número do pedido a quem opera o serviço.',
  503: 'Tente de novo em alguns segundos. Nada do que você tinha se perdeu.',
}

function drawErro(error: ApiError, request: FastifyRequest, moldura: MolduraDoSite): string {
  const { status, title } = errorCodes[error.code]
  const titulo = titulos[status] ?? title
  const { prefixo } = moldura
  return writePage(
    {
      titulo,
      descricao: error.message.replace(TODAS_AS_ROTAS, '').trim(),
      atual: undefined,
      avulsa: true,
      conteudo: html`<section class="desvio" aria-labelledby="titulo"><p class="selo ${status >= 500 ? 'ruim' : ''}">Erro ${status}</p><h1 id="titulo">${titulo}</h1><p class="frase">${fraseDe(error, prefixo)}</p>${conselhoDe(error)}${
        status === 404 && procurar(request, prefixo)
      }<p class="acoes">${deNovo(error, request, moldura)}<a href="${url(`${prefixo}/`)}">Ir para o início</a></p>${
        error.retryS !== null &&
        status >= 500 &&
        html`<p class="suave">Número do pedido: <code data-copia="${request.id}">${request.id}</code></p>`
      }</section>
${caminhos(prefixo)}`,
    },
    moldura,
  )
}

function fraseDe({ message }: ApiError, prefixo: string): Content {
  if (!message.endsWith(TODAS_AS_ROTAS)) return message
  return html`${message.slice(0, -TODAS_AS_ROTAS.length)}Os endereços da API estão na <a href="${url(`${prefixo}/documentacao`)}">referência</a>.`
}

function conselhoDe({ code, retryS }: ApiError): Content {
  const { status } = errorCodes[code]
  const text =
    status === 429 ? `Espere ${retryS ?? 60} segundos e tente de novo. Nada foi cobrado.` : conselhos[status]
  return (
    text !== undefined &&
    html`<p><strong>O que fazer:</strong> ${text.charAt(0).toLowerCase()}${text.slice(1)}</p>`
  )
}

/** The words of the address that name something here. Digits may be somebody's document, and stay out. */
function procurar({ url: address }: FastifyRequest, prefixo: string): Html {
  const [path = ''] = address.split('?', 1)
  const palavras = path
    .split(/[/_-]+/)
    .filter((palavra) => /^(?!(?:api|blog|docs|nao|painel)$)[a-z]{3,20}$/i.test(palavra))
  const q = palavras.filter(isAssunto).slice(-3).join(' ')
  return html`<form class="procura" action="${url(`${prefixo}/busca`)}" role="search"><label class="so-leitor" for="procurar">Procurar</label><input id="procurar" type="search" name="q" value="${q}" maxlength="100" placeholder="Consulta, código ou campo"/><button class="botao" type="submit">Procurar</button></form>`
}

/** The way back to what failed: the same page, or the one whose form was sent. */
function deNovo({ code }: ApiError, request: FastifyRequest, moldura: MolduraDoSite): Content {
  const { status } = errorCodes[code]
  if (status === 404 || status === 403) return undefined
  const isRead = request.method === 'GET'
  const address = isRead && status !== 405 ? moldura.prefixo + request.url : pageOfForm(request, moldura)
  if (address === undefined || !/^\/(?!\/)[!-[\]-~]*$/.test(address)) return undefined
  return html`<a class="botao" href="${url(address)}">${isRead ? 'Tentar de novo' : 'Voltar à página'}</a> `
}

/** The path of the page of ours that sent the request, by what the browser says of it. */
function pageOfForm({ headers, host }: FastifyRequest, { publico }: MolduraDoSite): string | undefined {
  const page = URL.parse(headers.referer ?? '')
  const isOurs = page && (page.host === host || page.origin === (publico && URL.parse(publico)?.origin))
  return isOurs ? page.pathname + page.search : undefined
}

const caminhos = (prefixo: string): Html =>
  html`<nav class="caminhos" aria-label="Outros caminhos"><ul>${(
    [
      ['/sefaz/', 'SEFAZ agora', 'Quem autoriza notas neste minuto, estado por estado.'],
      ['/blog/rejeicoes/', 'Rejeições', 'O que cada código quer dizer, e o XML corrigido.'],
      ['/docs/', 'Guia', 'Cada consulta com exemplo, custo e falhas.'],
      ['/erros', 'Códigos de erro', 'O que fazer com cada um.'],
      ['/painel/', 'Painel', 'Consultas, uso, extrato e a chave da sua conta.'],
    ] as const
  ).map(
    ([caminho, nome, oque]) =>
      html`<li><a href="${url(prefixo + caminho)}"><strong>${nome}</strong> <span class="suave">${oque}</span></a></li>`,
  )}</ul></nav>`
