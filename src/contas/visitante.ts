import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { zipFor } from '../platform/http/ready.ts'
import { available } from '../platform/ledger/rules.ts'
import { countOf } from '../platform/pages/formatos.ts'
import { type Content, type Html, html, url } from '../platform/pages/html.ts'
import { type MolduraDoSite, withConta } from '../platform/pages/layout.ts'
import { cookieDoAcesso, findLogado, type Logado } from './acesso.ts'
import type { ContasRoom } from './contas.ts'

/** The pages of everybody, as whoever has a session sees them. */
export type Visitante = {
  /** For all pages of a scope. Who has no session costs the look at one header. */
  frame: (scope: FastifyInstance) => void
  /** Who asks, also where he asks for no page. */
  find: (request: FastifyRequest) => Promise<Logado | null>
  /** For a page that is drawn outside such a scope. */
  drawFor: (request: FastifyRequest, reply: FastifyReply, page: string) => Promise<string>
}

/** The account at the foot of its menu: `sair` is its way out. */
export async function contaNaMoldura(
  { ledger }: Pick<ContasRoom, 'ledger'>,
  { conta }: Logado,
  { prefixo, sair }: { prefixo: string; sair: Content },
): Promise<Html> {
  const creditos = available(await ledger.saldoVisto(conta))
  return html`<p class="quem"><a href="${url(`${prefixo}/painel/configuracoes/`)}"><strong>${conta.nome}</strong></a> <a class="saldo" href="${url(`${prefixo}/painel/extrato/`)}">${countOf(creditos, 'crédito', 'créditos')}</a></p>${sair}`
}

/** A page is prepared once, for all. An account's menu is put in it on its way out, and nobody keeps that. */
export function openVisitante(room: ContasRoom, moldura: MolduraDoSite): Visitante {
  const { nome } = cookieDoAcesso(moldura)
  const sair = html`<a class="discreto" href="${url(`${moldura.prefixo}/sair/`)}">Sair</a>`

  /** A page is there for everybody: without its account where the database fails. */
  async function find(request: FastifyRequest): Promise<Logado | null> {
    const token = cookieOf(request.headers.cookie, nome)
    const found = findLogado(room, token).catch((err: unknown) =>
      room.log.error({ err }, 'the session of a visitor could not be read'),
    )
    return (await found) ?? null
  }

  async function put(page: string, logado: Logado, reply: FastifyReply): Promise<string> {
    const { prefixo } = moldura
    const conta = await contaNaMoldura(room, logado, { prefixo, sair }).catch((err: unknown) =>
      room.log.error({ err }, 'the balance of a visitor could not be read'),
    )
    const made = conta ? withConta(page, conta, moldura) : page
    // What the dashboard and the doors drew is for one person already.
    if (made === page) return page
    reply.header('vary', 'accept, accept-encoding, cookie')
    if (reply.getHeader('cache-control') !== 'no-store') reply.header('cache-control', 'private, no-store')
    return made
  }

  return {
    find,
    frame(scope) {
      scope.decorateRequest('logado', null)
      scope.decorateRequest('isMadeOver', false)
      scope.addHook('onRequest', (request, _reply, done) => {
        if (!mayEnter(request, nome)) return done()
        find(request).then((logado) => {
          request.logado = logado
          request.isMadeOver = logado !== null
          done()
        }, done)
      })
      scope.addHook('onSend', (request, reply, payload, done) => {
        const { logado } = request
        if (!logado || typeof payload !== 'string' || !isPlainPage(reply)) return done(null, payload)
        put(payload, logado, reply)
          .then((page) => zipFor(request, reply, page))
          .then((made) => done(null, made), done)
      })
    },
    async drawFor(request, reply, page) {
      const logado = mayEnter(request, nome) ? await find(request) : null
      return logado ? put(page, logado, reply) : page
    },
  }
}

/** Whether somebody who may have a session asks for a page, and not for what a page loads. */
const mayEnter = ({ headers: { cookie, accept } }: FastifyRequest, nome: string): boolean =>
  cookie?.includes(`${nome}=`) === true && accept?.includes('text/html') === true

function cookieOf(header = '', nome: string): string | undefined {
  const [, value] = header
    .split(';')
    .map((one) => one.trim().split('='))
    .find(([name]) => name === nome) ?? ['', undefined]
  return value
}

const isPlainPage = (reply: FastifyReply): boolean =>
  /^text\/html\b/.test(String(reply.getHeader('content-type'))) && !reply.hasHeader('content-encoding')
