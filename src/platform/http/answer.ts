import type { FastifyReply } from 'fastify'
import { nextRenewal } from '../../documento/dia.ts'
import { ApiError } from '../errors.ts'
import type { Cobranca } from '../ledger/ledger.ts'
import { available, type Saldo } from '../ledger/rules.ts'
import type { Exchange } from './exchange.ts'
import { ClientLeft, tallyOf } from './outcome.ts'

export async function hold(creditos: number, exchange: Exchange): Promise<void> {
  const { ok, saldo } = await exchange.platform.ledger.hold(cobrancaOf(creditos, exchange))
  if (!ok) throw insufficient(creditos, saldo, exchange)
}

/** Throws 402 if the hold is gone and the balance does not suffice. */
export async function settle(creditos: number, exchange: Exchange): Promise<Saldo> {
  const { ok, saldo } = await exchange.platform.ledger.settle(cobrancaOf(creditos, exchange))
  if (!ok) throw insufficient(creditos, saldo, exchange)
  return saldo
}

async function charge(creditos: number, exchange: Exchange): Promise<Saldo> {
  const { ok, saldo } = await exchange.platform.ledger.charge(cobrancaOf(creditos, exchange))
  if (!ok) throw insufficient(creditos, saldo, exchange)
  return saldo
}

export const cobrancaOf = (creditos: number, { request, call, nota }: Exchange): Cobranca => ({
  conta: call.conta,
  request_id: call.request_id,
  endpoint: request.routeOptions.url ?? '',
  creditos,
  nota,
})

export function insufficient(required: number, saldo: Saldo, { platform, codes }: Exchange): ApiError {
  const remaining = available(saldo)
  const resets_at = nextRenewal(platform.now()).toISOString()
  const detail =
    `Esta consulta precisa de ${required} crédito${required === 1 ? '' : 's'} e a conta tem ${remaining}. ` +
    'A cota do plano renova no primeiro dia do mês (horário de Brasília); créditos extras valem na hora.'
  return new ApiError(codes.credits, detail, { required, remaining, resets_at })
}

export function deliver<B>(body: B, creditos: number, saldo: Saldo, { request, reply }: Exchange): B {
  tallyOf(request).creditos = creditos
  setCreditHeaders(reply, creditos, saldo)
  return body
}

export function setCreditHeaders(reply: FastifyReply, charged: number, saldo: Saldo): void {
  reply.header('x-credits-charged', charged)
  reply.header('x-credits-remaining', available(saldo))
}

/**
 * The most that a call may cost. `hold` is set aside before `run`, for lookups that take time; `charge` is
 * taken after a `run` that costs us next to nothing.
 */
export type Price = 'free' | { hold: number } | { charge: number }

export const mostOf = (price: Price): number => {
  if (price === 'free') return 0
  return 'charge' in price ? price.charge : price.hold
}

export type Work<B> = {
  price: Price
  charged: (body: B) => number
  /** The answer if it needs no work, as from a cache: it is charged without a hold. */
  ready?: (() => Promise<B | undefined>) | undefined
  run: () => B | Promise<B>
  /** Before it is paid. Throws if another call has taken over: that call's answer is paid. */
  writeDown?: ((body: B) => Promise<void>) | undefined
  /** In place of an answer that was not written down or paid. Throws the failure if there is none. */
  unpaid?: ((body: B, failure: unknown) => B) | undefined
  /** What follows from an answer that was paid, before it is sent. It does not throw. */
  paid?: ((body: B) => Promise<void>) | undefined
}

/**
 * Makes an answer, writes it down, settles it and delivers it, always in this order (docs/decisions/0017).
 * Throws the failure of any step; then nothing is charged.
 */
export async function answer<B>(work: Work<B>, exchange: Exchange): Promise<B> {
  const body = await answerPaid(work, exchange)
  await work.paid?.(body)
  return body
}

async function answerPaid<B>(work: Work<B>, exchange: Exchange): Promise<B> {
  const { unpaid } = work
  if (!unpaid) return pay(work, exchange)
  let made: B | undefined
  const writeDown = async (body: B): Promise<void> => {
    made = body
    await work.writeDown?.(body)
  }
  try {
    return await pay({ ...work, writeDown }, exchange)
  } catch (failure) {
    if (made === undefined || failure instanceof ClientLeft) throw failure
    return unpaid(made, failure)
  }
}

async function pay<B>(work: Work<B>, exchange: Exchange): Promise<B> {
  const { price } = work
  if (price === 'free') return payNothing(work, exchange)
  if ('charge' in price) return payAfter(price.charge, work, exchange)
  const found = await work.ready?.()
  if (found === undefined) return payHeld(price.hold, work, exchange)
  return payAfter(work.charged(found), { ...work, run: () => found }, exchange)
}

async function payNothing<B>({ run, writeDown }: Work<B>, exchange: Exchange): Promise<B> {
  const body = await run()
  await writeDown?.(body)
  return deliver(body, 0, await saldoOf(exchange), exchange)
}

async function payAfter<B>(
  most: number,
  { run, charged, writeDown }: Work<B>,
  exchange: Exchange,
): Promise<B> {
  let body: B
  try {
    body = await run()
  } catch (error) {
    // Credits (402) come before the answer: without them nobody learns whether a document exists.
    const saldo = await saldoOf(exchange)
    if (available(saldo) < most) throw insufficient(most, saldo, exchange)
    throw error
  }
  await writeDown?.(body)
  const creditos = charged(body)
  return deliver(body, creditos, await charge(creditos, exchange), exchange)
}

async function payHeld<B>(
  most: number,
  { run, charged, writeDown }: Work<B>,
  exchange: Exchange,
): Promise<B> {
  await hold(most, exchange)
  let body: B
  let creditos: number
  try {
    body = await run()
    await writeDown?.(body)
    creditos = charged(body)
    if (exchange.request.raw.socket.destroyed) throw new ClientLeft('the client left before the answer')
  } catch (error) {
    await settle(0, exchange)
    throw error
  }
  return deliver(body, creditos, await settle(creditos, exchange), exchange)
}

const saldoOf = ({ platform, call }: Exchange) => platform.ledger.saldo(call.conta)
