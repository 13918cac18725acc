import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type ErrorCode, errorCodes } from '../platform/errors.ts'
import { tallyOf } from '../platform/http/outcome.ts'
import { type Falhas, parametroDe } from '../platform/pages/forms.ts'
import { type Content, type Html, html, url } from '../platform/pages/html.ts'
import { type MolduraDoSite, writePage } from '../platform/pages/layout.ts'
import { campoDoToken, comAcesso, cookieDoAcesso } from './acesso.ts'
import type { ContasRoom } from './contas.ts'
import type { AcessoAberto } from './store-acessos.ts'
import { cadastroDe } from './tentar.ts'

/** A page of a door: before a session, and about one. */
type PaginaDaPorta = { titulo: string; descricao: string; conteudo: Html; falhas?: Falhas }

/** What a door is given. */
export type Porta = {
  room: ContasRoom
  moldura: MolduraDoSite
  cadastro: ReturnType<typeof cadastroDe>
  /** Whether letters go out: then an account begins with one. */
  cartas: boolean
  /** Answers with a page that nobody keeps. */
  escrever: (reply: FastifyReply, pagina: PaginaDaPorta) => string
  campoCsrf: (request: FastifyRequest, reply: FastifyReply) => Content
  /** Notes why a form was refused, in the answer's status and in the log. */
  recusar: (request: FastifyRequest, reply: FastifyReply, code: ErrorCode, esperaS?: number) => void
  /** Gives the browser a session that was opened, and leads where `para` says. */
  deixarEntrar: (
    request: FastifyRequest,
    reply: FastifyReply,
    aberto: Pick<AcessoAberto, 'token'>,
    para: string,
  ) => Promise<FastifyReply>
}

/** One door: the routes under its prefix. */
export type AbrirPorta = (scope: FastifyInstance, porta: Porta) => void

/** Opens a door: its forms are safe, and who has a session is known. */
export const comoPorta =
  (abrir: AbrirPorta, room: ContasRoom, moldura: MolduraDoSite) =>
  async (scope: FastifyInstance): Promise<void> => {
    await comAcesso(scope, room, moldura)
    // An address may have a code in it. Unlike no-referrer, forms on plain HTTP still name their origin.
    scope.addHook('onRequest', (_request, reply, done) => {
      reply.header('referrer-policy', 'strict-origin')
      done()
    })
    abrir(scope, portaDe(room, moldura))
  }

const portaDe = (room: ContasRoom, moldura: MolduraDoSite): Porta => ({
  room,
  moldura,
  cadastro: cadastroDe(room.config),
  cartas: room.config.SMTP_URL !== undefined,
  escrever: (reply, { titulo, falhas = {}, ...pagina }) => {
    reply.type('text/html; charset=utf-8').header('cache-control', 'no-store')
    const dito = Object.keys(falhas).length > 0 ? `Erro: ${titulo}` : titulo
    return writePage({ ...pagina, titulo: dito, atual: 'entrar', avulsa: true }, moldura)
  },
  campoCsrf: campoDoToken,
  recusar: (request, reply, code, esperaS) => {
    tallyOf(request).error_code = code
    reply.code(errorCodes[code].status)
    if (esperaS !== undefined) reply.header('retry-after', esperaS)
  },
  deixarEntrar: async (request, reply, { token }, para) => {
    const { acessos } = room
    const { logado } = request
    // A session from before the log-in may be known to somebody else.
    if (logado) await acessos.encerrar(logado.conta.id, logado.acesso.id)
    const { nome, opcoes } = cookieDoAcesso(moldura)
    reply.setCookie(nome, token, { ...opcoes, maxAge: NO_NAVEGADOR_S })
    return reply.redirect(moldura.prefixo + destinoDe(para), 303)
  },
})

/** The session that a browser asks for, as its owner will see it. */
export const doNavegador = ({ headers, ip }: FastifyRequest) =>
  ({ tipo: 'painel', agente: headers['user-agent'] ?? '', endereco: ip }) as const

/** The longest that the store lets a session live. It ends one that nobody uses much sooner. */
const NO_NAVEGADOR_S = 30 * 86_400

/** The longest address that we lead to. */
const MAIOR_DESTINO = 2_000
const NOSSO = 'http://nosso.invalid'

/** Where a visitor goes once he is in: to a page of the dashboard, whatever the address asks for. */
function destinoDe(para: string): string {
  const wanted = para.length <= MAIOR_DESTINO && para.startsWith('/painel/') ? URL.parse(para, NOSSO) : null
  const isOurs = wanted?.origin === NOSSO && wanted.pathname.startsWith('/painel/')
  return isOurs ? wanted.pathname + wanted.search : '/painel/'
}

/** Leads who is in already to where he wanted to go. */
export function soParaVisitantes(scope: FastifyInstance, { moldura: { prefixo } }: Porta): void {
  scope.addHook('onRequest', (request, reply, done) => {
    if (!request.logado || request.is404 || request.method !== 'GET') return done()
    reply.redirect(prefixo + destinoDe(parametroDe(request, 'para')), 303)
  })
}

/** What is said of tries that were too many, or too many at once. */
export const demais = (esperaS: number): string =>
  `Foram tentativas demais. Tente de novo em ${esperaS < 60 ? `${esperaS} s` : `${Math.ceil(esperaS / 60)} min`}.`

/** What the card of a door is drawn with. */
type MoldeDaPorta = { titulo: string; formulario: Content; ligacoes?: Content; aoLado?: Content }

/** A door: one card with its form, and beside it what a visitor should know. */
export const porta = ({ titulo, formulario, ligacoes, aoLado }: MoldeDaPorta): Html =>
  html`<div class="porta"><section class="cartao" aria-labelledby="titulo"><h1 id="titulo">${titulo}</h1>
${formulario}${ligacoes !== undefined && html`\n<p class="ligacoes">${ligacoes}</p>`}</section>${
    aoLado !== undefined && html`\n<aside class="ao-lado" aria-label="Bom saber">${aoLado}</aside>`
  }</div>`

/** What the form of a door has. */
type Formulario = { acao: string; campos: Content; botao: string; csrf: Content }

/** The form of a door. */
export const formulario = ({ acao, campos, botao, csrf }: Formulario): Html =>
  html`<form class="formulario" method="post" action="${url(acao)}">${csrf}${campos}<p><button class="botao" type="submit">${botao}</button></p></form>`

/** A field that the form carries along. */
export const levado = (nome: string, valor: string): Html =>
  html`<input type="hidden" name="${nome}" value="${valor}"/>`

/** What a page says once, after something was done. */
export const recado = (text: Content): Html =>
  html`<div class="faixa-aviso" role="status"><p>${text}</p></div>`
