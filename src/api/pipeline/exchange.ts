import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Entrada } from '../../consultas/todos.ts'
import type { Context } from '../../context/context.ts'
import { nextRenewal } from '../../domain/credito/periodo.ts'
import { available, type Saldo } from '../../domain/credito/saldo.ts'
import { ApiError, type ErrorCode } from '../../domain/errors.ts'
import type { ContaAutenticada } from '../../store/contas/key-cache.ts'
import { contaOf, setCreditHeaders } from './admit.ts'
import { ClientLeft, signalOfLeaving } from './client-left.ts'
import { tallyOf } from './outcome.ts'

/** What `run` knows of the call it answers. */
export type Call = {
  request_id: string
  conta: ContaAutenticada
  /** Adds a header to the answer. */
  header: (name: string, value: string) => void
  /** Tells of a state's entry as soon as it is there: sent at once where the client takes a stream. */
  onEntry: (entry: Entrada) => void
  /** A signal that is aborted when the client leaves. */
  leaving: () => AbortSignal
}

/** The codes of the general refusals, which one endpoint calls otherwise (specification, "HTTP errors by endpoint"). */
export type RefusalCodes = { rate: ErrorCode; credits: ErrorCode }

export const standardCodes: RefusalCodes = { rate: 'RATE_LIMIT_EXCEEDED', credits: 'LIMITE_ATINGIDO' }

/** A call with all that its steps need. */
export type Exchange = {
  ctx: Context
  request: FastifyRequest
  reply: FastifyReply
  call: Call
  codes: RefusalCodes
}

/** What `run` is told of a request that was admitted. */
export const callOf = (request: FastifyRequest, reply: FastifyReply): Call => ({
  request_id: request.id,
  conta: contaOf(request),
  header: (name, value) => void reply.header(name, value),
  onEntry: () => {},
  leaving: () => signalOfLeaving(reply.raw),
})

/** What a held call may cost at most, and what an answer costs. */
export type Bill<B> = { creditos: number; charged: (body: B) => number }

/** Sets aside the most that the call can cost. Throws LIMITE_ATINGIDO, or what the endpoint calls it. */
export async function hold({ creditos }: { creditos: number }, exchange: Exchange): Promise<void> {
  const { ok, saldo } = await exchange.ctx.store.ledger.hold(chargeOf(creditos, exchange))
  if (!ok) throw insufficient(creditos, saldo, exchange)
}

/** Charges what was delivered of what was held. Throws LIMITE_ATINGIDO where the hold is gone and the balance does not suffice. */
export async function settle(creditos: number, exchange: Exchange): Promise<Saldo> {
  const { ok, saldo } = await exchange.ctx.store.ledger.settle(chargeOf(creditos, exchange))
  if (!ok) throw insufficient(creditos, saldo, exchange)
  return saldo
}

/**
 * Holds credits, runs the lookup, settles. The unused part goes back; a failure, or a client that left, gives
 * all of it back.
 */
export async function answerHeld<B>(
  bill: Bill<B>,
  run: () => B | Promise<B>,
  exchange: Exchange,
): Promise<B> {
  await hold(bill, exchange)
  let body: B
  let creditos: number
  try {
    body = await run()
    creditos = bill.charged(body)
    if (exchange.request.raw.socket.destroyed) throw new ClientLeft('the client left before the answer')
  } catch (error) {
    await exchange.ctx.store.ledger.settle(chargeOf(0, exchange))
    throw error
  }
  return deliver(body, creditos, await settle(creditos, exchange), exchange)
}

/** Takes credits for what is already here, in one transaction. Throws LIMITE_ATINGIDO, or what the endpoint calls it. */
export async function charge(creditos: number, exchange: Exchange): Promise<Saldo> {
  const { ok, saldo } = await exchange.ctx.store.ledger.charge(chargeOf(creditos, exchange))
  if (!ok) throw insufficient(creditos, saldo, exchange)
  return saldo
}

/** What the books are told of the call. */
export const chargeOf = (creditos: number, { request, call }: Exchange) => ({
  conta: call.conta,
  request_id: call.request_id,
  endpoint: request.routeOptions.url ?? '',
  creditos,
})

/** Hands the answer over, with what it cost in its headers and in the log line. */
export function deliver<B>(body: B, creditos: number, saldo: Saldo, { request, reply }: Exchange): B {
  tallyOf(request).creditos = creditos
  tallyOf(request).cached = isCached(body)
  setCreditHeaders(reply, creditos, saldo)
  return body
}

const isCached = (body: unknown): boolean => Reflect.get(Object(body), 'cached') === true

/** The 402 of a call that may cost `required` credits, of an account that has fewer. */
export function insufficient(required: number, saldo: Saldo, { ctx, codes }: Exchange): ApiError {
  const remaining = available(saldo)
  const resets_at = nextRenewal(ctx.now()).toISOString()
  const detail =
    `Esta consulta precisa de ${required} crédito${required === 1 ? '' : 's'} e a conta tem ${remaining}. ` +
    'A cota do plano renova no primeiro dia do mês (horário de Brasília); créditos extras valem na hora.'
  return new ApiError(codes.credits, detail, { required, remaining, resets_at })
}
