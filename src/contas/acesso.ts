import { hkdfSync } from 'node:crypto'
import cookies, { type CookieSerializeOptions } from '@fastify/cookie'
import csrf from '@fastify/csrf-protection'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { campoDe, readTextos } from '../platform/pages/forms.ts'
import { type Html, html } from '../platform/pages/html.ts'
import type { MolduraDoSite } from '../platform/pages/layout.ts'
import { sendOrigin, soDasNossasPaginas } from '../platform/pages/moldura.ts'
import type { ContasRoom } from './contas.ts'
import type { Acesso } from './store-acessos.ts'
import { type Conta, getConta } from './store-contas.ts'

export type Logado = { conta: Conta; acesso: Acesso }

declare module 'fastify' {
  interface FastifyRequest {
    logado: Logado | null
    /** The token of the forms of this answer; empty before the first of them. */
    tokenDoFormulario: string
  }
}

const MAIOR_FORMULARIO_DE_TEXTO = 16 * 1024

/** `__Host-` keeps other hosts of the domain from setting the cookie (RFC 6265bis, 4.1.3.2). */
export function cookieDoAcesso({ publico }: Pick<MolduraDoSite, 'publico'>): {
  nome: string
  opcoes: CookieSerializeOptions
} {
  const secure = publico?.startsWith('https:') === true
  return {
    nome: secure ? '__Host-acesso' : 'acesso',
    opcoes: { path: '/', httpOnly: true, sameSite: 'lax', secure },
  }
}

const BOAS_VINDAS = 'boas-vindas'
const BOAS_VINDAS_S = 300

const onlyComecar = ({ opcoes, prefixo }: { opcoes: CookieSerializeOptions; prefixo: string }) => ({
  ...opcoes,
  path: `${prefixo}/painel/comecar/`,
})

/** Lets the page of the first steps show the key once, soon after the sign-up. */
export const giveBoasVindas = (reply: FastifyReply, moldura: MolduraDoSite): void => {
  const { opcoes } = cookieDoAcesso(moldura)
  reply.setCookie(BOAS_VINDAS, '1', { ...onlyComecar({ opcoes, ...moldura }), maxAge: BOAS_VINDAS_S })
}

/** Whether this is that one time. */
export function takeBoasVindas(
  request: FastifyRequest,
  reply: FastifyReply,
  moldura: MolduraDoSite,
): boolean {
  if (request.cookies[BOAS_VINDAS] === undefined) return false
  const { opcoes } = cookieDoAcesso(moldura)
  reply.clearCookie(BOAS_VINDAS, onlyComecar({ opcoes, ...moldura }))
  return true
}

/** Gives pages the visitor's session; a POST comes from our own pages, with the token of this session. */
export async function withAcesso(
  app: FastifyInstance,
  room: ContasRoom,
  moldura: MolduraDoSite,
): Promise<void> {
  const { nome, opcoes } = cookieDoAcesso(moldura)
  sendOrigin(app)
  app.addHook('onRequest', soDasNossasPaginas(moldura))
  await app.register(cookies)
  await app.register(csrf, {
    cookieKey: opcoes.secure ? '__Host-formulario' : 'formulario',
    cookieOpts: { ...opcoes, sameSite: 'strict' },
    csrfOpts: { userInfo: true, hmacKey: keyOf(room.secret) },
    getUserInfo: ownerOf,
    getToken: tokenOf,
  })
  readTextos(app, MAIOR_FORMULARIO_DE_TEXTO)
  app.decorateRequest('tokenDoFormulario', '')
  app.addHook('onRequest', async (request) => {
    request.logado ??= (await findLogado(room, request.cookies[nome])) ?? null
  })
  // After the body is read, whatever reads it.
  app.addHook('preHandler', (request, reply, done) => {
    if (request.method === 'GET' || request.method === 'HEAD') return done()
    app.csrfProtection(request, reply, done)
  })
}

/** All forms of an answer have one token: a second one would come with a second cookie, and void it. */
export function campoDoToken(request: FastifyRequest, reply: FastifyReply): Html {
  request.tokenDoFormulario ||= reply.generateCsrf({ userInfo: ownerOf(request) })
  return html`<input type="hidden" name="_csrf" value="${request.tokenDoFormulario}"/>`
}

/** A token is good for one session, so that one from before a log-in is not good after it. */
const ownerOf = ({ logado }: FastifyRequest): string => logado?.acesso.id ?? 'visitante'

const tokenOf = (request: FastifyRequest): string => campoDe(request, '_csrf')

const keyOf = (secret: string): string =>
  Buffer.from(hkdfSync('sha256', secret, '', 'consulta-fiscal formularios', 32)).toString('base64')

/** The longest cookie of ours has 43 characters. */
const MAIOR_TOKEN = 100

export async function findLogado(
  { acessos, db }: ContasRoom,
  token: string | undefined,
): Promise<Logado | undefined> {
  if (!token || token.length > MAIOR_TOKEN) return undefined
  const acesso = await acessos.findByToken(token)
  return acesso && { acesso, conta: await getConta(db, acesso.conta_id) }
}
