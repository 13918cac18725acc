import { Type } from 'typebox'
import type { Context } from '../platform/context.ts'
import { lookup } from '../platform/http/lookup.ts'
import { BodySwitch, isOn } from '../platform/http/parameters.ts'
import { RequestId } from '../platform/http/schemas.ts'
import { CORPO_DO_ACESSO } from './login.ts'

/** POST /api/v1/auth/sair: ends the login whose token is sent, or all of the account. */
export const sair = lookup({
  url: '/api/v1/auth/sair',
  tag: 'Conta',
  summary: 'Encerra o login',
  description:
    'Encerra o login de quem envia um token: ele e os outros tokens do mesmo login deixam de valer em até 5 segundos. Com uma chave de API, que não é um login, só `todos` encerra alguma coisa.',
  body: Type.Object(
    {
      todos: Type.Optional(
        BodySwitch('true: encerra todos os logins da conta, também as sessões das páginas', false),
      ),
    },
    { title: 'PedidoDeSaida', description: 'O que encerrar' },
  ),
  bodyLimit: CORPO_DO_ACESSO,
  example: { todos: false },
  response: Type.Object(
    {
      request_id: RequestId,
      encerrados: Type.Integer({ minimum: 0, description: 'Quantos logins foram encerrados' }),
    },
    { title: 'RespostaSaida' },
  ),
  errors: [],
  price: 'free',
  run: async ({ todos }, { request_id, conta, acesso }, { store }: Context) => {
    const { acessos, logins } = store
    const encerrados = isOn(todos)
      ? await acessos.encerrarTodos(conta.id)
      : Number(acesso !== undefined && (await acessos.encerrar(conta.id, acesso)))
    if (acesso !== undefined) logins.forget(acesso)
    return { request_id, encerrados }
  },
})
