import { gzipSync } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Saldo } from '../../domain/credito/saldo.ts'
import { ApiError } from '../../domain/errors.ts'
import { prefersEventStream } from '../http/accept.ts'
import { digestOf, matches, takesGzip } from '../http/forms.ts'
import { setCreditHeaders } from './credits.ts'
import type { Caller, Exchange } from './exchange.ts'

/** An answer that many calls share: its text, and its gzip form, each with its tag. */
export type Prepared = {
  text: string
  etag: string
  /** Made when the first client wants it. */
  zipped: () => { bytes: Buffer; etag: string }
}

/** How a free endpoint without `read` answers where no call needs work of its own. */
export type Ready<A, D> = {
  /** The answer as a text that is ready. Where it is undefined, `run` answers. */
  prepared?: (asked: NoInfer<A>, call: Caller, deps: D) => Prepared | undefined
  /**
   * Takes over the answer to a client that prefers `text/event-stream`. False, with nothing done, where there
   * is no place for it.
   */
  listen?: (asked: NoInfer<A>, exchange: Pick<Exchange, 'call' | 'request' | 'reply'>, deps: D) => boolean
}

/** The forms of a JSON text. */
export function prepareText(text: string): Prepared {
  const digest = digestOf(text)
  let zipped: { bytes: Buffer; etag: string } | undefined
  return {
    text,
    etag: `"${digest}"`,
    zipped: () => (zipped ??= { bytes: gzipSync(text), etag: `"${digest}-gzip"` }),
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
  { call, deps, request, reply }: Exchange,
): void | Promise<void> {
  const go = (saldo: Saldo): void => {
    setCreditHeaders(reply, 0, saldo)
    if (!listen || !prefersEventStream(request.headers.accept)) send(made, request, reply)
    else if (!listen()) throw full(reply)
  }
  const saldo = deps.store.ledger.saldoVisto(call.conta)
  return saldo instanceof Promise ? saldo.then(go) : go(saldo)
}

function send(made: Prepared, { headers }: FastifyRequest, reply: FastifyReply): void {
  const zipped = takesGzip(headers['accept-encoding']) ? made.zipped() : undefined
  const { etag } = zipped ?? made
  reply.header('etag', etag)
  reply.header('vary', 'accept, accept-encoding')
  if (matches(headers['if-none-match'], etag)) {
    reply.code(304).send()
    return
  }
  if (zipped) reply.header('content-encoding', 'gzip')
  reply.header('content-type', 'application/json; charset=utf-8')
  reply.send(zipped?.bytes ?? made.text)
}

function full(reply: FastifyReply): ApiError {
  reply.header('retry-after', FULL_S)
  return new ApiError(
    'RATE_LIMIT_EXCEEDED',
    `Há fluxos de eventos abertos demais. Feche um deles, consulte sem "Accept: text/event-stream", ou tente de novo em ${FULL_S} s.`,
  )
}
