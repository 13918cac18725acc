import type { FastifyReply, FastifyRequest } from 'fastify'
import { signalOfLeaving } from '../platform/http/connections.ts'
import type { Falhas } from '../platform/pages/forms.ts'
import { campoDe, parametroDe } from '../platform/pages/forms.ts'
import { cookieDoAcesso } from './acesso.ts'
import { paginaDoEntrar } from './entrada-entrar.ts'
import { entrar } from './entrar.ts'
import { type AbrirPorta, demais, doNavegador, type Porta, soParaVisitantes } from './porta.ts'

/** Wrong e-mail, wrong password: one answer for both. */
const INVALIDAS = 'O e-mail ou a senha não confere.'

/** The page where a person enters the dashboard. */
export const portaDeEntrar: AbrirPorta = (scope, porta) => {
  soParaVisitantes(scope, porta)
  scope.get('/', { schema: { hide: true } }, (request, reply) => {
    const dito = { email: parametroDe(request, 'email'), para: parametroDe(request, 'para') }
    return escrever(porta, request, reply, { ...dito, aviso: parametroDe(request, 'aviso') })
  })
  scope.post('/', { schema: { hide: true } }, async (request, reply) => {
    const [email, senha, para] = ['email', 'senha', 'para'].map((nome) => campoDe(request, nome))
    const dito = { email: email ?? '', para: para ?? '' }
    const quem = { ...doNavegador(request), signal: signalOfLeaving(reply.raw) }
    const entrou = await entrar(porta.ctx, { email: dito.email, senha: senha ?? '', ...quem })
    if (entrou === 'invalidas') {
      porta.recusar(request, reply, 'CREDENCIAIS_INVALIDAS')
      return escrever(porta, request, reply, { ...dito, falhas: { '': INVALIDAS } })
    }
    if ('esperaS' in entrou) {
      porta.recusar(request, reply, 'RATE_LIMIT_EXCEEDED', entrou.esperaS)
      return escrever(porta, request, reply, { ...dito, falhas: { '': demais(entrou.esperaS) } })
    }
    return porta.deixarEntrar(request, reply, entrou, dito.para)
  })
}

type Dito = { email: string; para: string; falhas?: Falhas; aviso?: string }

function escrever(
  { escrever, campoCsrf, cadastro, cartas, moldura }: Porta,
  request: FastifyRequest,
  reply: FastifyReply,
  { falhas = {}, aviso = '', ...dito }: Dito,
): string {
  const { prefixo, simulador } = moldura
  const csrf = campoCsrf(request, reply)
  return escrever(reply, {
    titulo: 'Entrar',
    descricao: 'Entre no painel da sua conta: chave da API, uso, registro e extrato.',
    conteudo: paginaDoEntrar({ prefixo, simulador, cadastro, cartas, csrf, falhas, aviso, ...dito }),
    falhas,
  })
}

/** Ends the session of this browser. */
export const portaDeSair: AbrirPorta = (scope, { ctx, moldura }) => {
  const depois = `${moldura.prefixo}/entrar/?aviso=saiu`
  // A session that is over already has no token to be checked.
  scope.addHook('onRequest', (request, reply, done) => {
    if (request.logado || request.is404 || request.method !== 'POST') return done()
    reply.redirect(depois, 303)
  })
  scope.post('/', { schema: { hide: true } }, async (request, reply) => {
    const { nome, opcoes } = cookieDoAcesso(moldura)
    if (request.logado) await ctx.store.acessos.encerrar(request.logado.conta.id, request.logado.acesso.id)
    return reply.clearCookie(nome, opcoes).redirect(depois, 303)
  })
}
