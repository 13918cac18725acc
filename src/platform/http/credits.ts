import type { FastifyReply } from 'fastify'
import { nextRenewal } from '../../documento/periodo.ts'
import { ApiError } from '../errors.ts'
import type { Cobranca } from '../ledger/ledger.ts'
import { available, type Saldo } from '../ledger/rules.ts'
import type { Exchange } from './exchange.ts'
import { tallyOf } from './outcome.ts'

/** Sets credits aside. Throws the endpoint's code for 402 if the account has fewer. */
export async function hold(creditos: number, exchange: Exchange): Promise<void> {
  const { ok, saldo } = await exchange.deps.store.ledger.hold(cobrancaOf(creditos, exchange))
  if (!ok) throw insufficient(creditos, saldo, exchange)
}

/**
 * Charges part of what was held and gives the rest back. Throws 402 if the hold is gone and the balance does
 * not suffice.
 */
export async function settle(creditos: number, exchange: Exchange): Promise<Saldo> {
  const { ok, saldo } = await exchange.deps.store.ledger.settle(cobrancaOf(creditos, exchange))
  if (!ok) throw insufficient(creditos, saldo, exchange)
  return saldo
}

/** Charges what was not held, in one transaction. Throws 402. */
export async function charge(creditos: number, exchange: Exchange): Promise<Saldo> {
  const { ok, saldo } = await exchange.deps.store.ledger.charge(cobrancaOf(creditos, exchange))
  if (!ok) throw insufficient(creditos, saldo, exchange)
  return saldo
}

/** The credits of a call as the ledger enters them. */
export const cobrancaOf = (creditos: number, { request, call, nota }: Exchange): Cobranca => ({
  conta: call.conta,
  request_id: call.request_id,
  endpoint: request.routeOptions.url ?? '',
  creditos,
  nota,
})

/** The 402 of a call that may cost `required` credits. */
export function insufficient(required: number, saldo: Saldo, { deps, codes }: Exchange): ApiError {
  const remaining = available(saldo)
  const resets_at = nextRenewal(deps.now()).toISOString()
  const detail =
    `Esta consulta precisa de ${required} crédito${required === 1 ? '' : 's'} e a conta tem ${remaining}. ` +
    'A cota do plano renova no primeiro dia do mês (horário de Brasília); créditos extras valem na hora.'
  return new ApiError(codes.credits, detail, { required, remaining, resets_at })
}

/** Hands an answer over. Its headers and its outcome say what it cost. */
export function deliver<B>(body: B, creditos: number, saldo: Saldo, { request, reply }: Exchange): B {
  tallyOf(request).creditos = creditos
  setCreditHeaders(reply, creditos, saldo)
  return body
}

/** What the call charged, and what the account has left of its quota and its extra credits. */
export function setCreditHeaders(reply: FastifyReply, charged: number, saldo: Saldo): void {
  reply.header('x-credits-charged', charged)
  reply.header('x-credits-remaining', available(saldo))
}
