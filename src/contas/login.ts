import { Type } from 'typebox'
import type { Context } from '../platform/context.ts'
import { ApiError } from '../platform/errors.ts'
import { publicLookup } from '../platform/http/lookup.ts'
import { OneOf, RequestId } from '../platform/http/schemas.ts'
import { entrar } from './entrar.ts'
import { emitirToken } from './token.ts'

/** The most octets of a body with a name, an e-mail and a password. */
export const CORPO_DO_ACESSO = 8 * 1024

const corpo = Type.Object(
  {
    email: Type.String({ description: 'E-mail da conta' }),
    senha: Type.String({ description: 'Senha da conta' }),
  },
  { title: 'Credenciais', description: 'De quem entra' },
)

/** POST /api/v1/auth/login: a token for an e-mail and its password. */
export const login = publicLookup({
  url: '/api/v1/auth/login',
  tag: 'Conta',
  summary: 'Login: e-mail e senha por um token',
  description: `Troca e-mail e senha por um token (JWT), que vale 60 minutos em todos os endereços com chave, em \`Authorization: Bearer\`. Para programas de servidor, prefira a chave de API.

E-mail desconhecido e senha errada têm a mesma resposta. Cada rede (um endereço IP; em IPv6, um /64) pode errar 60 vezes em 15 minutos, e 20 com o mesmo e-mail. De redes em que o dono da conta nunca entrou, um e-mail aceita 100 tentativas por hora ao todo: as de estranhos não fecham a conta na rede do dono. A senha certa não conta. O token deixa de valer antes dos 60 minutos em até 5 segundos depois de \`POST /api/v1/auth/sair\`, de uma troca de senha, ou de ser encerrado em Configurações.`,
  body: corpo,
  bodyLimit: CORPO_DO_ACESSO,
  example: { email: 'ana@exemplo.com.br', senha: 'uma frase bem longa' },
  response: Type.Object(
    {
      request_id: RequestId,
      access_token: Type.String({ description: 'O token. Guarde-o como uma senha' }),
      token_type: OneOf(['Bearer'], 'Como enviá-lo: Authorization: Bearer'),
      expires_in: Type.Integer({ minimum: 0, description: 'Segundos que ele vale' }),
    },
    { title: 'RespostaLogin' },
  ),
  errors: ['PARAMETRO_AUSENTE', 'CREDENCIAIS_INVALIDAS'],
  run: async ({ email, senha }, { request_id, endereco, agente, leaving }, ctx: Context) => {
    const quem = { tipo: 'api', agente, endereco, signal: leaving() } as const
    const aberto = await entrar(ctx, { email, senha, ...quem })
    if (aberto === 'invalidas')
      throw new ApiError('CREDENCIAIS_INVALIDAS', 'O e-mail ou a senha não está certo.')
    if ('esperaS' in aberto) throw recusarTentativas(aberto)
    return { request_id, token_type: 'Bearer' as const, ...(await emitirToken(ctx, aberto.acesso)) }
  },
})

/** Tells that something was tried too often, or by too many at once. */
export const recusarTentativas = ({ esperaS }: { esperaS: number }): ApiError =>
  new ApiError('RATE_LIMIT_EXCEEDED', `Houve tentativas demais. Tente de novo em ${esperaS} s.`, {
    retryS: esperaS,
  })
