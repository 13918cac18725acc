import type { FastifyReply, onRequestHookHandler } from 'fastify'
import { ApiError, type ErrorCode } from '../errors.ts'
import type { AddressCount, Turn } from '../limits.ts'
import { ambientes } from '../wire/fonte.ts'

export type Header = {
  description: string
  type: 'string' | 'integer'
  enum?: readonly string[]
  minimum?: number
}

export const textHeader = (description: string): Header => ({ description, type: 'string' })

export const countHeader = (description: string): Header => ({ description, type: 'integer', minimum: 0 })

export const answerHeaders: Readonly<Record<string, Header>> = {
  'X-Request-Id': textHeader('Igual a request_id'),
  'X-Ambiente': { ...textHeader('De quem são as respostas'), enum: ambientes },
  'RateLimit-Policy': textHeader('Limite do plano: "minuto";q=limite;w=60'),
  RateLimit: textHeader('O que resta na janela: "minuto";r=restantes;t=segundos até renovar'),
  'X-RateLimit-Limit': countHeader('Requisições por minuto do plano'),
  'X-RateLimit-Remaining': countHeader('Requisições que restam na janela'),
  'X-RateLimit-Reset': countHeader('Segundos até a janela renovar'),
  'X-Credits-Charged': countHeader('Créditos cobrados por esta chamada'),
  'X-Credits-Remaining': countHeader('Créditos que restam: cota do mês e extras'),
}

export const keylessHeaders: Readonly<Record<string, Header>> = {
  'X-Request-Id': textHeader('Identifica a requisição'),
  'X-Ambiente': { ...textHeader('De quem são as respostas'), enum: ambientes },
  'RateLimit-Policy': textHeader('Limite do endereço (IP): "minuto";q=limite;w=60'),
  RateLimit: textHeader('O que resta na janela: "minuto";r=restantes;t=segundos até renovar'),
  'X-RateLimit-Limit': countHeader('Requisições por minuto do endereço (IP)'),
  'X-RateLimit-Remaining': countHeader('Requisições que restam na janela'),
  'X-RateLimit-Reset': countHeader('Segundos até a janela renovar'),
}

export const retryAfter = countHeader(
  'Segundos até valer a pena repetir a requisição; ausente quando repetir não adianta',
)

/** The statuses of the failures that may pass (`errorCodes`). */
const passing: ReadonlySet<string> = new Set(['408', '409', '429', '500', '502', '503'])

const WWW_AUTHENTICATE = textHeader(
  'ApiKey: a chave vai em X-API-Key; Bearer: o token de um login vai em Authorization',
)

/**
 * The headers of a failure, by its HTTP status; `own` are those of the endpoint. Limit and credits are told
 * once the key is known, also with a 401: a key may be good and have been sent in the URL besides.
 */
export const headersOfFailure = (
  status: string,
  headers: Readonly<Record<string, Header>>,
  own: Readonly<Record<string, Header>>,
): Readonly<Record<string, Header>> => ({
  ...headers,
  // Work that ended without an answer may have set its own before.
  ...(/^(?:402|404|5..)$/.test(status) && own),
  ...(status === '401' && { 'WWW-Authenticate': WWW_AUTHENTICATE }),
  ...(passing.has(status) && { 'Retry-After': retryAfter }),
})

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
