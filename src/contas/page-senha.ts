import type { FastifyReply, FastifyRequest } from 'fastify'
import { signalOfLeaving } from '../platform/http/connections.ts'
import type { Falhas } from '../platform/pages/forms.ts'
import { campoDe, parametroDe } from '../platform/pages/forms.ts'
import { EMAIL_ERRADO } from './email.ts'
import {
  paginaDaNovaSenha,
  paginaDeRecuperar,
  paginaDeRecuperarSemCartas,
  paginaDoLinkVencido,
  paginaDoPedidoFeito,
} from './entrada-senha.ts'
import { pedirTrocaDeSenha } from './pedir.ts'
import { type AbrirPorta, demais, type Porta, soParaVisitantes } from './porta.ts'
import { redefinirSenha } from './senha-nova.ts'
import { verCodigo } from './store-codigos.ts'

const RECUPERAR = {
  titulo: 'Recuperar a senha',
  descricao: 'Peça o link com que se escolhe outra senha para a conta.',
}

/** Whoever asked for them, and whether or not the e-mail has an account. */
const JA_FORAM =
  'Nesta hora já foram pedidas todas as cartas que um e-mail recebe. Se ele tem uma conta, o link da mais nova vale por 2 horas: procure-a, também na caixa de spam.'

/** The page where a letter with a link to a new password is asked for. */
export const portaDeRecuperar: AbrirPorta = (scope, porta) => {
  const { ctx, moldura, campoCsrf, escrever, recusar } = porta
  const { prefixo } = moldura
  soParaVisitantes(scope, porta)
  const desenhar = (request: FastifyRequest, reply: FastifyReply, email: string, falhas: Falhas): string => {
    if (ctx.config.SMTP_URL === undefined)
      return escrever(reply, { ...RECUPERAR, conteudo: paginaDeRecuperarSemCartas(prefixo) })
    const csrf = campoCsrf(request, reply)
    return escrever(reply, {
      ...RECUPERAR,
      conteudo: paginaDeRecuperar({ prefixo, csrf, email, falhas }),
      falhas,
    })
  }
  scope.get('/', { schema: { hide: true } }, (request, reply) => desenhar(request, reply, '', {}))
  scope.post('/', { schema: { hide: true } }, async (request, reply) => {
    const email = campoDe(request, 'email')
    const pedido = await pedirTrocaDeSenha(ctx, { email, endereco: request.ip })
    if (pedido === 'email-invalido') {
      recusar(request, reply, 'PARAMETRO_INVALIDO')
      return desenhar(request, reply, email, { email: `Confira o e-mail: ${EMAIL_ERRADO}.` })
    }
    if ('esperaS' in pedido) {
      recusar(request, reply, 'RATE_LIMIT_EXCEEDED', pedido.esperaS)
      return desenhar(
        request,
        reply,
        email,
        pedido.jaForam ? { email: JA_FORAM } : { '': demais(pedido.esperaS) },
      )
    }
    if (!pedido.carta) return desenhar(request, reply, email, {})
    return escrever(reply, { ...RECUPERAR, conteudo: paginaDoPedidoFeito(prefixo, email) })
  })
}

const NOVA = {
  titulo: 'Escolher outra senha',
  descricao: 'Escolha outra senha com o link que a carta, ou quem opera o serviço, trouxe.',
}

/** The page that the link of a letter leads to. A GET uses no code up, because machines open links too. */
export const portaDaNovaSenha: AbrirPorta = (scope, porta) => {
  scope.get('/', { schema: { hide: true } }, (request, reply) =>
    escreverNova(porta, request, reply, parametroDe(request, 'codigo')),
  )
  scope.post('/', { schema: { hide: true } }, async (request, reply) => {
    const [codigo, nova] = [campoDe(request, 'codigo'), campoDe(request, 'senha')]
    const quem = { endereco: request.ip, signal: signalOfLeaving(reply.raw) }
    const feito = await redefinirSenha(porta.ctx, { codigo, nova, ...quem })
    if (feito === 'codigo-invalido') return escreverVencido(porta, request, reply)
    if ('senhaFraca' in feito) {
      porta.recusar(request, reply, 'SENHA_FRACA')
      return escreverNova(porta, request, reply, codigo, { senha: feito.senhaFraca })
    }
    if ('esperaS' in feito) {
      porta.recusar(request, reply, 'RATE_LIMIT_EXCEEDED', feito.esperaS)
      return escreverNova(porta, request, reply, codigo, { '': demais(feito.esperaS) })
    }
    return reply.redirect(`${porta.moldura.prefixo}/entrar/?aviso=senha`, 303)
  })
}

async function escreverNova(
  porta: Porta,
  request: FastifyRequest,
  reply: FastifyReply,
  codigo: string,
  falhas: Falhas = {},
): Promise<string> {
  const { ctx, moldura, campoCsrf, escrever } = porta
  const row = await verCodigo(ctx.store.db, 'redefinir', codigo, ctx.now())
  if (!row) return escreverVencido(porta, request, reply)
  const csrf = campoCsrf(request, reply)
  const conteudo = paginaDaNovaSenha({ ...moldura, csrf, codigo, email: row.email, falhas })
  return escrever(reply, { ...NOVA, conteudo, falhas })
}

function escreverVencido(
  { moldura, escrever, recusar }: Porta,
  request: FastifyRequest,
  reply: FastifyReply,
): string {
  recusar(request, reply, 'REQUISICAO_INVALIDA')
  return escrever(reply, { ...NOVA, conteudo: paginaDoLinkVencido(moldura.prefixo) })
}
