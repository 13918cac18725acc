import type { FastifyReply, FastifyRequest } from 'fastify'
import { LRUCache } from 'lru-cache'
import { ApiError } from '../errors.ts'
import type { Saldo } from '../ledger/rules.ts'
import { setCreditHeaders } from './answer.ts'
import type { Caller, Exchange } from './exchange.ts'
import { type Prepared, prefersEventStream, prepare, sendReady } from './ready.ts'

type Awaitable<T> = T | Promise<T>

/** How a free endpoint without `read` answers where no call needs work of its own. */
export type Ready<A, D> = {
  /** The answer as a text that is ready, or will be in a moment. Where it is undefined, `run` answers. */
  prepared?: (asked: NoInfer<A>, call: Caller, room: D) => Awaitable<Prepared | undefined>
  /**
   * Takes over the answer to a client that prefers `text/event-stream`. False, with nothing done, where there
   * is no place for it.
   */
  listen?: (asked: NoInfer<A>, exchange: Pick<Exchange, 'call' | 'request' | 'reply'>, room: D) => boolean
}

/** The answers of a source that were asked for most recently, each under its question. */
export type RecentAnswers<O extends object> = (
  source: O,
  question: string,
  make: () => string,
) => Prepared<string>

/**
 * Keeps the answers of one source at a time, at most so many octets of them; another source begins anew. A
 * gzip form counts as much as its text.
 */
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

/** Seconds after which a client that found no place may try again. */
const FULL_S = 60

/**
 * Answers with what is ready, free of charge. It makes no promise unless the balance must be read, and
 * Fastify serializes and compresses nothing.
 */
export function servePrepared(
  made: Prepared,
  listen: (() => boolean) | undefined,
  { call, platform, request, reply }: Exchange,
): void | Promise<void> {
  const go = (saldo: Saldo): void => {
    setCreditHeaders(reply, 0, saldo)
    if (!listen || !prefersEventStream(request.headers.accept)) sendPrepared(made, request, reply)
    else if (!listen()) throw full(reply)
  }
  const saldo = platform.ledger.saldoVisto(call.conta)
  return saldo instanceof Promise ? saldo.then(go) : go(saldo)
}

/** Answers with the form of a ready text that the client takes, or says that its copy is still good. */
export function sendPrepared(made: Prepared, request: FastifyRequest, reply: FastifyReply): void {
  void sendReady(request, reply, made, { type: 'application/json', vary: 'accept, accept-encoding' })
}

function full(reply: FastifyReply): ApiError {
  reply.header('retry-after', FULL_S)
  return new ApiError(
    'RATE_LIMIT_EXCEEDED',
    `Há fluxos de eventos abertos demais. Feche um deles, consulte sem "Accept: text/event-stream", ou tente de novo em ${FULL_S} s.`,
  )
}
