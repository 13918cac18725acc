import type { FastifyReply, FastifyRequest } from 'fastify'
import { LRUCache } from 'lru-cache'
import { ApiError } from '../errors.ts'
import type { Saldo } from '../ledger/rules.ts'
import { setCreditHeaders } from './answer.ts'
import type { Caller, Exchange } from './exchange.ts'
import { type Prepared, prefersEventStream, prepare, sendReady } from './ready.ts'

type Awaitable<T> = T | Promise<T>

export type Ready<A, D> = {
  prepared?: (asked: NoInfer<A>, call: Caller, room: D) => Awaitable<Prepared | undefined>
  /** False, with nothing done, where there is no place for a listener. */
  listen?: (asked: NoInfer<A>, exchange: Pick<Exchange, 'call' | 'request' | 'reply'>, room: D) => boolean
}

export type RecentAnswers<O extends object> = (
  source: O,
  question: string,
  make: () => string,
) => Prepared<string>

/** At most so many octets of one source at a time. A gzip form counts as much as its text. */
export function keepRecent<O extends object>(mostOctets: number): RecentAnswers<O> {
  const kept = new LRUCache<string, Prepared<string>>({
    maxSize: mostOctets,
    sizeCalculation: ({ body }, question) => 2 * body.length + question.length,
  })
  let current: O | undefined
  return (source, question, make) => {
    if (source !== current) kept.clear()
    current = source
    const known = kept.get(question)
    if (known) return known
    const made = prepare(make())
    kept.set(question, made)
    return made
  }
}

const FULL_S = 60

/** No promise unless the balance must be read; Fastify serializes and compresses nothing. */
export function servePrepared(
  made: Prepared,
  listen: (() => boolean) | undefined,
  { call, platform, request, reply }: Exchange,
): void | Promise<void> {
  const go = (saldo: Saldo): void | Promise<void> => {
    setCreditHeaders(reply, 0, saldo)
    if (!listen || !prefersEventStream(request.headers.accept)) return sendPrepared(made, request, reply)
    if (!listen()) throw full(reply)
  }
  const saldo = platform.ledger.saldoVisto(call.conta)
  return saldo instanceof Promise ? saldo.then(go) : go(saldo)
}

export function sendPrepared(
  made: Prepared,
  request: FastifyRequest,
  reply: FastifyReply,
): void | Promise<void> {
  const sending = { type: 'application/json', vary: 'accept, accept-encoding' }
  const sent = sendReady(request, reply, made, sending)
  // Fastify waits for what it is given, which a reply that went out already does not need.
  if (sent instanceof Promise) return sent.then(() => undefined)
}

function full(reply: FastifyReply): ApiError {
  reply.header('retry-after', FULL_S)
  return new ApiError(
    'RATE_LIMIT_EXCEEDED',
    `Há fluxos de eventos abertos demais. Feche um deles, consulte sem "Accept: text/event-stream", ou tente de novo em ${FULL_S} s.`,
  )
}
