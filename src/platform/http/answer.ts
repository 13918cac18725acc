import type { FastifyReply } from 'fastify'
import { nextRenewal } from '../../documento/dia.ts'
import { ApiError } from '../errors.ts'
import type { Cobranca } from '../ledger/ledger.ts'
import { available, type Saldo } from '../ledger/rules.ts'
import { type Exchange, mostOf, type Price } from './exchange.ts'
import { ClientLeft, tallyOf } from './outcome.ts'

async function hold(creditos: number, exchange: Exchange): Promise<void> {
  const { ok, saldo } = await exchange.platform.ledger.hold(cobrancaOf(creditos, exchange))
  if (!ok) throw insufficient(creditos, saldo, exchange)
}

/** Throws 402 if the hold is gone and the balance does not suffice. */
export async function settle(creditos: number, exchange: Exchange): Promise<Saldo> {
  const { ok, saldo } = await exchange.platform.ledger.settle(cobrancaOf(creditos, exchange))
  if (!ok) throw insufficient(creditos, saldo, exchange)
  return saldo
}

export const cobrancaOf = (creditos: number, { call, terms }: Exchange): Cobranca => ({
  conta: call.conta,
  request_id: call.request_id,
  endpoint: terms.url,
  creditos,
  nota: terms.nota,
})

export function insufficient(required: number, saldo: Saldo, { platform, terms }: Exchange): ApiError {
  const remaining = available(saldo)
  const resets_at = nextRenewal(platform.now()).toISOString()
  const detail =
    `Esta consulta precisa de ${required} crédito${required === 1 ? '' : 's'} e a conta tem ${remaining}. ` +
    'A cota do plano renova no primeiro dia do mês (horário de Brasília); créditos extras valem na hora.'
  return new ApiError(terms.codes.credits, detail, { required, remaining, resets_at })
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

/** A part of a stream. A client that leaves before the end pays `creditos` for each that it took. */
export type Piece = { id: string; data: object; creditos: number }

/** What a lookup does for one call, once it has read what was asked. */
export type Work<B> = {
  /** In place of the declared one, where it depends on what was asked. */
  price?: Price
  /** What an answer costs; without it, all of the price. */
  charged?: (body: B) => number
  /** The answer if it needs no work, as from a cache: it is charged without a hold, in place of `run`. */
  ready?: () => Promise<B | undefined>
  /** `emit` sends a piece to whoever asked for a stream, and does nothing for all others. */
  run: (emit: (piece: Piece) => void) => B | Promise<B>
  /** What follows from an answer that was paid, before it is sent. It does not throw. */
  paid?: (body: B) => Promise<void>
  /** When all is over, also after a failure. */
  close?: () => void
  /** False: the answer is not kept for an Idempotency-Key. */
  kept?: boolean
}

export type Keeping<B> = {
  /** Before it is paid. Throws if another call has taken over: that call's answer is paid. */
  writeDown?: ((body: B, creditos: number) => Promise<void>) | undefined
  /** In place of an answer that was not written down or paid. Throws the failure if there is none. */
  unpaid?: ((body: B, failure: unknown, exchange: Pick<Exchange, 'call' | 'platform'>) => B) | undefined
}

const nothing = {}

/**
 * Makes an answer, writes it down, settles it and delivers it, always in this order (docs/decisions/0017).
 * Throws the failure of any step; then nothing stays charged.
 */
export function answer<B>(work: Work<B>, exchange: Exchange, kept: Keeping<B> = nothing): Promise<B> {
  const { paid } = work
  const paying = answerPaid(work, exchange, kept)
  return paid ? paying.then((body) => paid(body).then(() => body)) : paying
}

function answerPaid<B>(work: Work<B>, exchange: Exchange, { writeDown, unpaid }: Keeping<B>): Promise<B> {
  const wanted = work.kept === false ? undefined : writeDown
  if (!unpaid) return pay({ work, exchange, writeDown: wanted })
  let made: B | undefined
  const noteMade = async (body: B, creditos: number): Promise<void> => {
    made = body
    await wanted?.(body, creditos)
  }
  return pay({ work, exchange, writeDown: noteMade }).catch((failure) => {
    if (made === undefined || failure instanceof ClientLeft) throw failure
    return unpaid(made, failure, exchange)
  })
}

type Paying<B> = { work: Work<B>; exchange: Exchange; writeDown: Keeping<B>['writeDown'] }

function pay<B>(paying: Paying<B>): Promise<B> {
  const price = priceOf(paying.work, paying.exchange)
  if (price === 'free') return payNothing(paying)
  return 'charge' in price ? payAfter(price.charge, paying) : payKept(price.hold, paying)
}

async function payKept<B>(most: number, paying: Paying<B>): Promise<B> {
  const { work, exchange } = paying
  const found = await work.ready?.()
  if (found === undefined) return payHeld(most, paying)
  const creditos = creditosOf(work, exchange, found)
  return payAfter(creditos, { ...paying, work: { ...work, run: () => found } })
}

const priceOf = <B>({ price }: Work<B>, { terms }: Exchange): Price => price ?? terms.price

export const creditosOf = <B>(work: Work<B>, exchange: Exchange, body: B): number =>
  work.charged ? work.charged(body) : mostOf(priceOf(work, exchange))

export const holdFor = <B>(work: Work<B>, exchange: Exchange): Promise<void> =>
  hold(mostOf(priceOf(work, exchange)), exchange)

const toNobody = (): void => {}

async function payNothing<B>({ work, exchange, writeDown }: Paying<B>): Promise<B> {
  const body = await work.run(toNobody)
  await writeDown?.(body, creditosOf(work, exchange, body))
  return deliver(body, 0, await saldoVisto(exchange), exchange)
}

async function payAfter<B>(most: number, { work, exchange, writeDown }: Paying<B>): Promise<B> {
  let body: B
  try {
    const made = work.run(toNobody)
    body = made instanceof Promise ? await made : made
  } catch (error) {
    // Credits (402) come before the answer: without them nobody learns whether a document exists.
    const lacks = (saldo: Saldo): boolean => available(saldo) < most
    if (!lacks(await saldoVisto(exchange))) throw error
    const saldo = await exchange.platform.ledger.saldo(exchange.call.conta)
    throw lacks(saldo) ? insufficient(most, saldo, exchange) : error
  }
  const creditos = creditosOf(work, exchange, body)
  if (writeDown) await writeDown(body, creditos)
  const { ok, saldo } = await exchange.platform.ledger.charge(cobrancaOf(creditos, exchange))
  if (!ok) throw insufficient(creditos, saldo, exchange)
  return deliver(body, creditos, saldo, exchange)
}

async function payHeld<B>(most: number, { work, exchange, writeDown }: Paying<B>): Promise<B> {
  await hold(most, exchange)
  let body: B
  let creditos: number
  try {
    body = await work.run(toNobody)
    creditos = creditosOf(work, exchange, body)
    await writeDown?.(body, creditos)
    if (exchange.request.raw.socket.destroyed) throw new ClientLeft('the client left before the answer')
  } catch (error) {
    await settle(0, exchange)
    throw error
  }
  return deliver(body, creditos, await settle(creditos, exchange), exchange)
}

const saldoVisto = ({ platform, call }: Exchange) => platform.ledger.saldoVisto(call.conta)
