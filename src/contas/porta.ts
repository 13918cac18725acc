import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { cadastroDe } from '../platform/config/config.ts'
import { type ErrorCode, errorCodes } from '../platform/errors.ts'
import { tallyOf } from '../platform/http/outcome.ts'
import { type CampoDoFormulario, type Falhas, parametroDe } from '../platform/pages/forms.ts'
import { type Content, type Html, html, url } from '../platform/pages/html.ts'
import { type MolduraDoSite, writePage } from '../platform/pages/layout.ts'
import { campoDoToken, cookieDoAcesso, withAcesso } from './acesso.ts'
import type { ContasRoom } from './contas.ts'
import type { AcessoAberto } from './store-acessos.ts'

type PaginaDaPorta = {
  titulo: string
  descricao: string
  conteudo: Html
  falhas?: Falhas
  /** What the bar shows as the place where one is: the log-in, unless the page is another. */
  atual?: 'entrar' | undefined
}

/** What the pages before the log-in have: log-in, sign-up, and a forgotten password. */
export type Porta = {
  room: ContasRoom
  moldura: MolduraDoSite
  /** Who may open an account: everybody, whoever has an invitation, or nobody. */
  cadastro: ReturnType<typeof cadastroDe>
  /** Whether the service sends e-mails. */
  cartas: boolean
  /** The page in its frame, which no cache keeps. With `falhas` its title says that there is an error. */
  draw: (reply: FastifyReply, pagina: PaginaDaPorta) => string
  /** The hidden field without which a POST is refused. */
  campoCsrf: (request: FastifyRequest, reply: FastifyReply) => Content
  /** Notes why a form was refused, in the answer's status and in the log; `esperaS` are seconds. */
  refuse: (request: FastifyRequest, reply: FastifyReply, code: ErrorCode, esperaS?: number) => void
  /** Begins the session in the browser, ends the one that was there, and goes to `para` if it is ours. */
  letIn: (
    request: FastifyRequest,
    reply: FastifyReply,
    aberto: Pick<AcessoAberto, 'token'>,
    para: string,
  ) => Promise<FastifyReply>
}

/** Registers the routes of one such page. */
export type OpenPorta = (scope: FastifyInstance, porta: Porta) => void

/** A Fastify plugin of such a page, with the visitor's session and the check of its forms. */
export const asPorta =
  (open: OpenPorta, room: ContasRoom, moldura: MolduraDoSite) =>
  async (scope: FastifyInstance): Promise<void> => {
    await withAcesso(scope, room, moldura)
    // An address may have a code in it. Unlike no-referrer, forms on plain HTTP still name their origin.
    scope.addHook('onRequest', (_request, reply, done) => {
      reply.header('referrer-policy', 'strict-origin')
      done()
    })
    open(scope, portaDe(room, moldura))
  }

const portaDe = (room: ContasRoom, moldura: MolduraDoSite): Porta => ({
  room,
  moldura,
  cadastro: cadastroDe(room.config),
  cartas: room.config.SMTP_URL !== undefined,
  draw: (reply, { titulo, falhas = {}, ...pagina }) => {
    reply.type('text/html; charset=utf-8').header('cache-control', 'no-store')
    const dito = Object.keys(falhas).length > 0 ? `Erro: ${titulo}` : titulo
    return writePage({ atual: 'entrar', ...pagina, titulo: dito, avulsa: true }, moldura)
  },
  campoCsrf: campoDoToken,
  refuse: (request, reply, code, esperaS) => {
    tallyOf(request).error_code = code
    reply.code(errorCodes[code].status)
    if (esperaS !== undefined) reply.header('retry-after', esperaS)
  },
  letIn: async (request, reply, { token }, para) => {
    const { acessos } = room
    const { logado } = request
    // A session from before the log-in may be known to somebody else.
    if (logado) await acessos.end(logado.conta.id, logado.acesso.id)
    const { nome, opcoes } = cookieDoAcesso(moldura)
    reply.setCookie(nome, token, { ...opcoes, maxAge: NO_NAVEGADOR_S })
    return reply.redirect(moldura.prefixo + destinoDe(para), 303)
  },
})

/** Who logs in by a page: the browser's name and the address, which the account sees in its list. */
export const doNavegador = ({ headers, ip }: FastifyRequest) =>
  ({ tipo: 'painel', agente: headers['user-agent'] ?? '', endereco: ip }) as const

/** The longest that the store lets a session live. It ends one that nobody uses much sooner. */
const NO_NAVEGADOR_S = 30 * 86_400

const MAIOR_DESTINO = 2_000
const NOSSO = 'http://nosso.invalid'

/** Where a visitor goes once he is in: to a page of the dashboard, whatever the address asks for. */
function destinoDe(para: string): string {
  const wanted = para.length <= MAIOR_DESTINO && para.startsWith('/painel/') ? URL.parse(para, NOSSO) : null
  const isOurs = wanted?.origin === NOSSO && wanted.pathname.startsWith('/painel/')
  return isOurs ? wanted.pathname + wanted.search : '/painel/'
}

/** Sends whoever is logged in already on to where he wanted. */
export function onlyVisitors(scope: FastifyInstance, { moldura: { prefixo } }: Porta): void {
  scope.addHook('onRequest', (request, reply, done) => {
    if (!request.logado || request.is404 || request.method !== 'GET') return done()
    reply.redirect(prefixo + destinoDe(parametroDe(request, 'para')), 303)
  })
}

/** What is said after too many tries; the pause is in seconds. */
export const demais = (esperaS: number): string =>
  `Foram tentativas demais. Tente de novo em ${esperaS < 60 ? `${esperaS} s` : `${Math.ceil(esperaS / 60)} min`}.`

type MoldeDaPorta = { titulo: string; formulario: Content; ligacoes?: Content; aoLado?: Content }

/** Draws a door: a card with its form, links below, and something to know beside it. */
export const porta = ({ titulo, formulario, ligacoes, aoLado }: MoldeDaPorta): Html =>
  html`<div class="porta"><section class="cartao" aria-labelledby="titulo"><h1 id="titulo">${titulo}</h1>
${formulario}${ligacoes !== undefined && html`\n<p class="ligacoes">${ligacoes}</p>`}</section>${
    aoLado !== undefined && html`\n<aside class="ao-lado" aria-label="Bom saber">${aoLado}</aside>`
  }</div>`

type Formulario = { acao: string; campos: Content; botao: string; csrf: Content }

/** A form by POST, with the hidden field of `campoCsrf`. */
export const formulario = ({ acao, campos, botao, csrf }: Formulario): Html =>
  html`<form class="formulario" method="post" action="${url(acao)}">${csrf}${campos}<p><button class="botao" type="submit">${botao}</button></p></form>`

/** A hidden field that a form carries along. */
export const levado = (nome: string, valor: string): Html =>
  html`<input type="hidden" name="${nome}" value="${valor}"/>`

/** A message above a form, read aloud by a screen reader. */
export const recado = (text: Content): Html =>
  html`<div class="faixa-aviso" role="status"><p>${text}</p></div>`

export const SENHA_NOVA: CampoDoFormulario = {
  nome: 'senha',
  rotulo: 'Senha',
  dica: '10 caracteres ou mais. Algumas palavras juntas são fáceis de lembrar e difíceis de adivinhar.',
  tipo: 'password',
  autocomplete: 'new-password',
  menor: 10,
  maior: 200,
}

export const emailDe = (valor: string) =>
  ({ nome: 'email', rotulo: 'E-mail', tipo: 'email', autocomplete: 'username', maior: 254, valor }) as const

/** What a password manager keeps the new password under; a person does not see it. */
export const nomeDaConta = (email: string): Html =>
  html`<input type="email" autocomplete="username" value="${email}" readonly="" hidden=""/>`
