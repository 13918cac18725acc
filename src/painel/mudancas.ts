import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Logado } from '../contas/acesso.ts'
import { pedirConfirmacao } from '../contas/cartas-de-acesso.ts'
import { endPreviousKeys, issueKey } from '../contas/chave.ts'
import { demais } from '../contas/porta.ts'
import { trocarSenha } from '../contas/senha-nova.ts'
import { ApiError, type ErrorCode } from '../platform/errors.ts'
import { signalOfLeaving } from '../platform/http/connections.ts'
import type { Falhas } from '../platform/pages/forms.ts'
import { campoDe } from '../platform/pages/forms.ts'
import { CARENCIAS } from './chave.ts'
import type { PainelRoom } from './painel.ts'

/** Why a form is shown again: the code, and what stands beside which field. */
type Recusada = { code: ErrorCode; falhas: Falhas; esperaS?: number }

/** What a form of the settings does for its account: the name of what was done, or why it was not. */
type Mudanca = (
  room: PainelRoom,
  logado: Logado,
  request: FastifyRequest,
  reply: FastifyReply,
) => Promise<string | Recusada>

/** The forms of the settings, by their addresses. */
export const mudancas: Readonly<Record<string, Mudanca>> = {
  '/chave/nova/': async ({ db, secret, now }, { conta }, request) => {
    const carenciaHoras = CARENCIAS.find((horas) => String(horas) === campoDe(request, 'carencia'))
    if (carenciaHoras === undefined)
      throw new ApiError(
        'PARAMETRO_INVALIDO',
        `Escolha quando a chave de agora termina: ${CARENCIAS.join(', ')} horas.`,
      )
    await issueKey(db, secret, conta.id, { carenciaHoras, now: now() })
    return 'chave'
  },
  '/chave/anterior/': async ({ db, now }, { conta }) => {
    await endPreviousKeys(db, conta.id, now())
    return 'anterior'
  },
  '/senha/': async (room, { conta, acesso }, request, reply) => {
    const [atual, nova] = [campoDe(request, 'atual'), campoDe(request, 'nova')]
    const quem = { acesso: acesso.id, endereco: request.ip, signal: signalOfLeaving(reply.raw) }
    const feito = await trocarSenha(room, conta.id, { atual, nova, ...quem })
    if (feito === 'trocada') return 'senha'
    if (feito === 'invalidas')
      return { code: 'CREDENCIAIS_INVALIDAS', falhas: { atual: 'Esta não é a senha atual.' } }
    if ('senhaFraca' in feito) return { code: 'SENHA_FRACA', falhas: { nova: feito.senhaFraca } }
    const { esperaS } = feito
    return { code: 'RATE_LIMIT_EXCEEDED', falhas: { '': demais(esperaS) }, esperaS }
  },
  '/acessos/encerrar/': async ({ acessos }, { conta }, request) => {
    await acessos.encerrar(conta.id, campoDe(request, 'id'))
    return 'acesso'
  },
  '/acessos/encerrar-outros/': async ({ acessos }, { conta, acesso }) => {
    await acessos.encerrarTodos(conta.id, { menos: acesso.id })
    return 'acessos'
  },
  '/email/carta/': async (room, { conta }) => {
    const pedido = await pedirConfirmacao(room, conta)
    if ('esperaS' in pedido) {
      const { esperaS } = pedido
      throw new ApiError('RATE_LIMIT_EXCEEDED', demais(esperaS), { retryS: esperaS })
    }
    if (!pedido.carta) throw new ApiError('REQUISICAO_INVALIDA', 'Este serviço não envia e-mails.')
    return 'carta'
  },
}
