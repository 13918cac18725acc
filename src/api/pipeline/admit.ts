import type { FastifyReply, FastifyRequest, onRequestHookHandler } from 'fastify'
import { ApiError, type ErrorCode } from '../../domain/errors.ts'
import type { AddressCount } from '../../store/contas/address-count.ts'
import type { ContaAutenticada } from '../../store/contas/key-cache.ts'
import type { Turn } from '../../store/contas/rate-limit.ts'
import type { Deps } from './exchange.ts'
import { tallyOf } from './outcome.ts'

const UNAUTHENTICATED =
  'Envie a chave de API da sua conta no cabeçalho X-API-Key. Ela não é aceita na URL, e chaves revogadas não valem mais.'

/** A key that travels in a URL stays in every log on the way: it is refused even beside a good header. */
const KEY_IN_URL = /[?&](?:x-)?api[-_]?key=|fk_[0-9A-Za-z]{38}/i
const EXPOSED =
  'A chave de API não é aceita na URL, onde fica gravada em registros pelo caminho. Envie-a só no cabeçalho X-API-Key e gere outra.'

const BLOCKED = 'O operador do serviço bloqueou esta conta. Nada foi consultado nem cobrado.'

/**
 * The first steps of the pipeline, before query and body are read: the key (401), the plan's rate limit (429,
 * `code`), the operator's block (403). A missing, malformed, unknown or revoked key gets the same answer.
 */
export function admit({ store }: Pick<Deps, 'store'>, code: ErrorCode): onRequestHookHandler {
  return (request, reply, done) => {
    const limit = (conta: ContaAutenticada | undefined) => {
      if (conta === undefined) {
        store.refusedKeys.add(request.ip)
        throw new ApiError('NAO_AUTENTICADO', UNAUTHENTICATED)
      }
      tallyOf(request).conta = conta
      const turn = store.rateLimit.consume(conta)
      const apply = (known: Turn) => applyLimit(known, conta, { request, reply, code })
      return turn instanceof Promise ? turn.then(apply) : apply(turn)
    }
    // A known key and a count in memory are no promises: nearly every request goes on at once.
    let limited: void | Promise<void>
    try {
      const found = findConta(store, request, reply, code)
      limited = found instanceof Promise ? found.then(limit) : limit(found)
    } catch (error) {
      done(error instanceof Error ? error : new Error(String(error)))
      return
    }
    if (limited instanceof Promise) limited.then(() => done(), done)
    else done()
  }
}

/**
 * Finds the account of a key. After 60 refused keys a minute from one address, a key that nobody has seen
 * valid is refused unread, so guesses cost no query; good keys still pass.
 */
function findConta(
  { keys, refusedKeys }: Deps['store'],
  request: FastifyRequest,
  reply: FastifyReply,
  code: ErrorCode,
): ReturnType<Deps['store']['keys']['find']> {
  const presented = request.headers['x-api-key']
  const key = typeof presented === 'string' ? presented : ''
  const seen = keys.seen(key)
  if (seen) return seen
  const waitS = keys.knows(key) ? undefined : refusedKeys.waitS(request.ip)
  if (waitS === undefined) return keys.find(key)
  reply.header('retry-after', waitS)
  const detail = `Deste endereço vieram muitas chaves de API que não valem. Tente de novo em ${waitS} s.`
  throw new ApiError(code, detail)
}

/** The first step of an endpoint without a key: the minute of the address (429 RATE_LIMIT). */
export function admitAddress(calls: Pick<AddressCount, 'consume'>): onRequestHookHandler {
  return (request, reply, done) => {
    const turn = calls.consume(request.ip)
    const reset = setRateHeaders(reply, turn)
    if (turn.ok) return done()
    reply.header('retry-after', reset)
    const detail = `Sem chave, cada endereço pode fazer ${turn.limit} requisições por minuto. Tente de novo em ${reset} s, ou consulte com a chave de uma conta.`
    done(new ApiError('RATE_LIMIT', detail))
  }
}

function applyLimit(
  turn: Turn,
  conta: ContaAutenticada,
  { request, reply, code }: { request: FastifyRequest; reply: FastifyReply; code: ErrorCode },
): void {
  const { ok, limit } = turn
  const reset = setRateHeaders(reply, turn)
  if (KEY_IN_URL.test(request.url)) throw new ApiError('NAO_AUTENTICADO', EXPOSED)
  if (!ok) {
    reply.header('retry-after', reset)
    const detail = `O plano ${conta.plano} permite ${limit} requisições por minuto. Tente de novo em ${reset} s.`
    throw new ApiError(code, detail)
  }
  if (conta.bloqueio !== undefined)
    throw new ApiError('CONTA_BLOQUEADA', `${BLOCKED} Motivo: ${conta.bloqueio}`)
}

/**
 * `RateLimit-Policy` and `RateLimit` as in draft-ietf-httpapi-ratelimit-headers-11, and the older `X-` trio.
 * Gives the seconds until the minute ends.
 */
function setRateHeaders(reply: FastifyReply, { limit, remaining, resetMs }: Turn): number {
  const reset = Math.max(1, Math.ceil(resetMs / 1000))
  reply.header('ratelimit-policy', `"minuto";q=${limit};w=60`)
  reply.header('ratelimit', `"minuto";r=${remaining};t=${reset}`)
  reply.header('x-ratelimit-limit', limit)
  reply.header('x-ratelimit-remaining', remaining)
  reply.header('x-ratelimit-reset', reset)
  return reset
}
