import { setTimeout as pause } from 'node:timers/promises'
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { ContasRoom } from '../contas/contas.ts'
import { portaDaConfirmacao, portaDoCadastro } from '../contas/page-cadastro.ts'
import { portaDeEntrar, portaDeSair } from '../contas/page-entrar.ts'
import { portaDaNovaSenha, portaDeRecuperar } from '../contas/page-senha.ts'
import { asPorta, type OpenPorta } from '../contas/porta.ts'
import { openPainel } from '../painel/painel.ts'
import type { PainelRoom } from '../painel/sala.ts'
import { ApiError, errorCodes } from '../platform/errors.ts'
import { explainFailure, isLeaving } from '../platform/http/problem.ts'
import { recordRoutes, refuseOtherMethods, refuseUnknownRoutes } from '../platform/http/refusals.ts'
import { html, url } from '../platform/pages/html.ts'
import { type MolduraDoSite, writePage } from '../platform/pages/layout.ts'
import {
  cabecalhosDePagina,
  DeFora,
  molduraDe,
  serveEstaticos,
  setPageHeaders,
} from '../platform/pages/moldura.ts'
import type { Platform } from '../platform/platform.ts'
import { codeOf } from '../platform/wire/fonte.ts'
import { paginasDasRejeicoes } from '../rejeicoes/page.ts'
import type { RejeicoesRoom } from '../rejeicoes/rejeicoes.ts'
import { serveSefaz } from '../sefaz/page.ts'
import { serveGuia } from './guia.ts'
import { paginaInicial } from './inicio.ts'

type SiteRoom = PainelRoom & RejeicoesRoom

const portas: Readonly<Record<string, OpenPorta>> = {
  '/entrar': portaDeEntrar,
  '/criar-conta': portaDoCadastro,
  '/sair': portaDeSair,
  '/recuperar-senha': portaDeRecuperar,
  '/nova-senha': portaDaNovaSenha,
  '/confirmar-email': portaDaConfirmacao,
}

const portasDoSite = (
  room: ContasRoom,
  moldura: MolduraDoSite,
): Record<string, (scope: FastifyInstance) => Promise<void>> =>
  Object.fromEntries(Object.entries(portas).map(([prefix, open]) => [prefix, asPorta(open, room, moldura)]))

/** Takes what is better made before somebody asks for it, once the service listens. */
export type Prepare = (make: () => Promise<unknown>) => void

/** The pages for people, which read forms alone, and the files that they load. Their errors are pages too. */
export async function site(
  app: FastifyInstance,
  { room, prepare }: { room: SiteRoom; prepare: Prepare },
): Promise<void> {
  const moldura = molduraDe(room)
  // Fastify's own parsers of JSON and text would work for anybody, before any form is checked.
  app.removeAllContentTypeParsers()
  const rooms: Record<string, (scope: FastifyInstance) => void | Promise<void>> = {
    '/estatico': serveEstaticos,
    '/sefaz': (scope) => serveSefaz(scope, room, moldura),
    '/blog/rejeicoes': (scope) => paginasDasRejeicoes(scope, room, moldura),
    '/docs': (scope) => prepare(serveGuia(scope, moldura)),
    ...portasDoSite(room, moldura),
    '/painel': (scope) => openPainel(scope, room, moldura),
  }
  for (const [prefix, register] of Object.entries(rooms))
    await app.register(
      async (scope) => {
        scope.setErrorHandler(paginaDoErro(room, moldura))
        setPageHeaders(scope)
        const served = recordRoutes(scope)
        await register(scope)
        refuseUnknownRoutes(scope, served, () => NADA)
      },
      { prefix },
    )
  // What is unknown under the root is the API's to refuse.
  await app.register(async (scope) => {
    scope.setErrorHandler(paginaDoErro(room, moldura))
    setPageHeaders(scope)
    const served = recordRoutes(scope)
    paginaInicial(scope, room, moldura)
    refuseOtherMethods(scope, served)
  })
}

const NADA = 'Não há nada neste endereço: ele pode ter sido digitado com um erro.'

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
    return drawErro(error, request.id, moldura)
  }

/** Fastify's word for a body of a type that nobody reads here. The body itself is not read then. */
const OUTRO_TIPO = 'FST_ERR_CTP_INVALID_MEDIA_TYPE'

/** Who sends such requests without end takes the thread 10 times a second and connection, not 250 times. */
const RECUSA_MS = 100

const soFormularios = new ApiError(
  'TIPO_NAO_SUPORTADO',
  'As páginas recebem só os seus próprios formulários. Envie-o pela página, ou use a API, que recebe JSON.',
)

function drawErro({ code, message, retryS }: ApiError, pedido: string, moldura: MolduraDoSite): string {
  const { status, title } = errorCodes[code]
  const titulo = code === 'ROTA_NAO_ENCONTRADA' ? 'Página não encontrada' : title
  const { prefixo } = moldura
  return writePage(
    {
      titulo,
      descricao: message,
      atual: undefined,
      conteudo: html`<section class="cartao erro"><p class="numero">${status}</p><h1>${titulo}</h1><p>${message}</p>${
        retryS !== null && html`<p>Número do pedido: <code>${pedido}</code></p>`
      }<p><a class="botao" href="${url(`${prefixo}/`)}">Ir para o início</a> <a href="${url(`${prefixo}/sefaz/`)}">SEFAZ agora</a> <a href="${url(`${prefixo}/blog/rejeicoes/`)}">Rejeições</a> <a href="${url(`${prefixo}/docs/`)}">Documentação</a></p></section>`,
    },
    moldura,
  )
}
