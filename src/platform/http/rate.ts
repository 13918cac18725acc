import type { FastifyReply, onRequestHookHandler } from 'fastify'
import { ApiError, type ErrorCode } from '../errors.ts'
import type { AddressCount, Turn } from '../limits.ts'

export function admitAddress(calls: Pick<AddressCount, 'consume'>, code: ErrorCode): onRequestHookHandler {
  return (request, reply, done) => {
    const turn = calls.consume(request.ip)
    const reset = setRateHeaders(reply, turn)
    if (turn.ok) return done()
    reply.header('retry-after', reset)
    const detail = `Sem chave, cada endereço pode fazer ${turn.limit} requisições por minuto. Tente de novo em ${reset} s, ou consulte com a chave de uma conta.`
    done(new ApiError(code, detail))
  }
}

/** As in draft-ietf-httpapi-ratelimit-headers-11, with the older `X-` trio. Gives the seconds left. */
export function setRateHeaders(reply: FastifyReply, { limit, remaining, resetMs }: Turn): number {
  const reset = Math.max(1, Math.ceil(resetMs / 1000))
  reply.header('ratelimit-policy', `"minuto";q=${limit};w=60`)
  reply.header('ratelimit', `"minuto";r=${remaining};t=${reset}`)
  reply.header('x-ratelimit-limit', limit)
  reply.header('x-ratelimit-remaining', remaining)
  reply.header('x-ratelimit-reset', reset)
  return reset
}
