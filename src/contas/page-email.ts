import type { FastifyReply, FastifyRequest } from 'fastify'
import { signalOfLeaving } from '../platform/http/connections.ts'
import type { Falhas } from '../platform/pages/forms.ts'
import { campoDe, parametroDe } from '../platform/pages/forms.ts'
import { confirmarEmail, emailDoCadastro } from './cadastro.ts'
import { paginaDaRecusa, paginaDeConfirmar } from './confirmar.ts'
import { type AbrirPorta, demais, type Porta } from './porta.ts'

const PAGINA = {
  titulo: 'Confirmar o e-mail',
  descricao: 'Confirme que o e-mail da conta é seu, com o link que a carta trouxe.',
}

const SENHA_ERRADA =
  'Esta não é a senha do cadastro. Se não foi você quem o fez, feche esta página e crie a sua conta.'

/** Where the link of a confirmation leads to. A GET confirms nothing, because machines open links too. */
export const portaDaConfirmacao: AbrirPorta = (scope, porta) => {
  const { ctx, moldura, escrever, recusar } = porta
  const { prefixo } = moldura
  scope.get('/', { schema: { hide: true } }, (request, reply) =>
    desenhar(porta, request, reply, parametroDe(request, 'codigo')),
  )
  scope.post('/', { schema: { hide: true } }, async (request, reply) => {
    const [codigo, senha] = [campoDe(request, 'codigo'), campoDe(request, 'senha')]
    const quem = { endereco: request.ip, signal: signalOfLeaving(reply.raw) }
    const feito = await confirmarEmail(ctx, { codigo, senha, ...quem })
    if (feito === 'senha-errada') {
      recusar(request, reply, 'CREDENCIAIS_INVALIDAS')
      return desenhar(porta, request, reply, codigo, { senha: SENHA_ERRADA })
    }
    if (typeof feito === 'string') {
      recusar(request, reply, 'REQUISICAO_INVALIDA')
      return escrever(reply, { ...PAGINA, conteudo: paginaDaRecusa(prefixo, feito) })
    }
    if ('esperaS' in feito) {
      recusar(request, reply, 'RATE_LIMIT_EXCEEDED', feito.esperaS)
      return desenhar(porta, request, reply, codigo, { '': demais(feito.esperaS) })
    }
    const isIn = request.logado?.conta.id === feito.id
    return reply.redirect(
      prefixo + (isIn ? '/painel/configuracoes/?feito=email' : '/entrar/?aviso=email'),
      303,
    )
  })
}

async function desenhar(
  { ctx, moldura, campoCsrf, escrever }: Porta,
  request: FastifyRequest,
  reply: FastifyReply,
  codigo: string,
  falhas: Falhas = {},
): Promise<string> {
  const email = await emailDoCadastro(ctx, codigo)
  const csrf = campoCsrf(request, reply)
  const conteudo = paginaDeConfirmar({ ...moldura, csrf, codigo, email, falhas })
  return escrever(reply, { ...PAGINA, conteudo, falhas })
}
