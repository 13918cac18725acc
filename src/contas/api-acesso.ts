import { Type } from 'typebox'
import type { Context } from '../platform/context.ts'
import { ApiError } from '../platform/errors.ts'
import { publicLookup } from '../platform/http/lookup.ts'
import { OneOf, RequestId, text } from '../platform/http/schemas.ts'
import { cadastrar } from './cadastrar.ts'
import { CORPO_DO_ACESSO, recusarTentativas } from './login.ts'

const corpo = Type.Object(
  {
    nome: Type.String({ description: 'Nome de quem usa a conta, ou da empresa, de até 120 caracteres' }),
    email: Type.String({ description: 'E-mail, único entre as contas, de até 254 caracteres' }),
    senha: Type.String({
      description: 'De 10 a 200 caracteres; não o e-mail, o nome, nem uma das senhas mais usadas',
    }),
    convite: Type.Optional(
      Type.String({ description: 'Código de convite, onde o cadastro o pede; ele pode dar um plano maior' }),
    ),
  },
  { title: 'PedidoDeCadastro', description: 'De quem é a conta nova' },
)

const SITUACOES = ['criada', 'confirmar'] as const

const mensagens: Record<(typeof SITUACOES)[number], string> = {
  criada: 'A conta foi criada, com uma chave de API. Entre para vê-la.',
  confirmar:
    'Enviamos uma mensagem a este e-mail, com o que falta para entrar. Ela pode levar alguns minutos.',
}

/** POST /api/v1/auth/registrar: makes an account, or asks its owner by letter to prove the e-mail. */
export const registrar = publicLookup({
  url: '/api/v1/auth/registrar',
  tag: 'Conta',
  summary: 'Cadastro: cria uma conta',
  description: `Cria uma conta no plano lite, com a primeira chave de API, que a página de configurações mostra. Quem pode se cadastrar, o operador decide (\`CADASTRO\`).

Onde o serviço envia e-mails, a resposta é a mesma para qualquer e-mail (\`situacao\` = confirmar): a conta é aberta quando o endereço da mensagem for confirmado, e quem já tem conta é avisado. Onde não envia, a conta é criada na hora, e um e-mail em uso é recusado.

Cada endereço IP (em IPv6, cada rede /64) pode tentar 10 cadastros por hora, 3 deles com o mesmo e-mail; cada e-mail recebe até 5 mensagens de cadastro por hora.`,
  body: corpo,
  bodyLimit: CORPO_DO_ACESSO,
  example: { nome: 'Ana Souza', email: 'ana@exemplo.com.br', senha: 'uma frase bem longa' },
  response: Type.Object(
    {
      request_id: RequestId,
      situacao: OneOf(SITUACOES, 'criada: já se pode entrar; confirmar: siga a mensagem enviada ao e-mail'),
      mensagem: text('O que fazer agora, em uma frase'),
    },
    { title: 'RespostaCadastro' },
  ),
  errors: ['PARAMETRO_AUSENTE', 'SENHA_FRACA', 'CADASTRO_FECHADO', 'EMAIL_JA_CADASTRADO'],
  run: async (sent, { request_id, endereco, leaving }, ctx: Context) => {
    const feito = await cadastrar(ctx, { ...sent, endereco, signal: leaving() })
    if (feito === 'fechado')
      throw new ApiError(
        'CADASTRO_FECHADO',
        'Este serviço não aceita cadastros. Peça uma conta a quem o opera.',
      )
    if (feito === 'convite-invalido') throw semConvite(sent.convite)
    if (feito === 'email-em-uso')
      throw new ApiError(
        'EMAIL_JA_CADASTRADO',
        'Este e-mail já tem uma conta. Entre com ela, ou use outro e-mail.',
      )
    if ('senhaFraca' in feito) throw new ApiError('SENHA_FRACA', feito.senhaFraca)
    if ('esperaS' in feito) throw recusarTentativas(feito)
    if ('parametro' in feito) {
      const { parametro: parameter, motivo: reason } = feito
      const detail = `Parâmetro ${parameter}: ${reason}.`
      throw new ApiError('PARAMETRO_INVALIDO', detail, { errors: [{ parameter, reason }] })
    }
    const situacao: (typeof SITUACOES)[number] = feito.carta ? 'confirmar' : 'criada'
    return { request_id, situacao, mensagem: mensagens[situacao] }
  },
})

const semConvite = (convite = ''): ApiError =>
  convite === ''
    ? new ApiError('CADASTRO_FECHADO', 'O cadastro é por convite. Envie o código que recebeu, em convite.')
    : new ApiError('PARAMETRO_INVALIDO', 'Este convite não vale: foi usado, venceu, ou é de outro e-mail.', {
        errors: [{ parameter: 'convite', reason: 'foi usado, venceu, ou é de outro e-mail' }],
      })
