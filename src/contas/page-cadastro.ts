import type { FastifyReply, FastifyRequest } from 'fastify'
import type { ErrorCode } from '../platform/errors.ts'
import { signalOfLeaving } from '../platform/http/connections.ts'
import type { Falhas } from '../platform/pages/forms.ts'
import { campoDe, parametroDe } from '../platform/pages/forms.ts'
import { cadastrar } from './cadastrar.ts'
import {
  paginaDaCartaEnviada,
  paginaDoCadastro,
  paginaDoCadastroFechado,
  type VistaDoCadastro,
} from './entrada-cadastro.ts'
import { type AbrirPorta, demais, doNavegador, type Porta, soParaVisitantes } from './porta.ts'

const PAGINA = {
  titulo: 'Criar uma conta',
  descricao: 'Crie uma conta e receba a chave da API: consultas fiscais às próprias autoridades.',
}

type Dito = Pick<VistaDoCadastro, 'nome' | 'email' | 'convite' | 'para'>

/** The page where a person makes an account, and is in. */
export const portaDoCadastro: AbrirPorta = (scope, porta) => {
  soParaVisitantes(scope, porta)
  scope.get('/', { schema: { hide: true } }, (request, reply) =>
    escrever(
      porta,
      request,
      reply,
      ditoPor((nome) => parametroDe(request, nome)),
    ),
  )
  scope.post('/', { schema: { hide: true } }, async (request, reply) => {
    const dito = ditoPor((nome) => campoDe(request, nome))
    const { email, nome, convite } = dito
    const senha = campoDe(request, 'senha')
    const quem = { endereco: request.ip, signal: signalOfLeaving(reply.raw) }
    const feito = await cadastrar(porta.ctx, { nome, email, convite: convite.trim(), senha, ...quem })
    if (typeof feito === 'object' && 'carta' in feito) {
      if (!feito.conta) return porta.escrever(reply, { ...PAGINA, conteudo: paginaDaCartaEnviada(email) })
      const { acessos } = porta.ctx.store
      const aberto = await acessos.abrir({ ...doNavegador(request), conta_id: feito.conta.id })
      return porta.deixarEntrar(request, reply, aberto, dito.para)
    }
    const [code, falhas, esperaS] = recusaDe(feito)
    porta.recusar(request, reply, code, esperaS)
    return escrever(porta, request, reply, dito, falhas)
  })
}

const ditoPor = (ler: (nome: string) => string): Dito => ({
  nome: ler('nome'),
  email: ler('email'),
  convite: ler('convite'),
  para: ler('para'),
})

type Recusa = Exclude<Awaited<ReturnType<typeof cadastrar>>, { carta: boolean }>

/** Why no account was made: the code, what stands beside which field, and the seconds to wait. */
function recusaDe(recusa: Recusa): [ErrorCode, Falhas, number?] {
  if (recusa === 'fechado') return ['CADASTRO_FECHADO', {}]
  if (recusa === 'convite-invalido')
    return [
      'CADASTRO_FECHADO',
      { convite: 'Este convite não vale: já foi usado, venceu ou é de outro e-mail.' },
    ]
  if (recusa === 'email-em-uso')
    return [
      'EMAIL_JA_CADASTRADO',
      { email: 'Já existe uma conta com este e-mail. Entre com ela, ou recupere a senha.' },
    ]
  if ('senhaFraca' in recusa) return ['SENHA_FRACA', { senha: recusa.senhaFraca }]
  if ('esperaS' in recusa) return ['RATE_LIMIT_EXCEEDED', { '': demais(recusa.esperaS) }, recusa.esperaS]
  const { parametro, motivo } = recusa
  return ['PARAMETRO_INVALIDO', { [parametro]: `${motivo.charAt(0).toUpperCase()}${motivo.slice(1)}.` }]
}

function escrever(
  { escrever, campoCsrf, cadastro, cartas, moldura }: Porta,
  request: FastifyRequest,
  reply: FastifyReply,
  dito: Dito,
  falhas: Falhas = {},
): string {
  const { prefixo, simulador } = moldura
  if (cadastro === 'fechado')
    return escrever(reply, { ...PAGINA, conteudo: paginaDoCadastroFechado(prefixo) })
  const csrf = campoCsrf(request, reply)
  const conteudo = paginaDoCadastro({ prefixo, simulador, cadastro, cartas, csrf, falhas, ...dito })
  return escrever(reply, { ...PAGINA, conteudo, falhas })
}
