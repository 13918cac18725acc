import type { FastifyReply, FastifyRequest, onRequestHookHandler } from 'fastify'
import { type TObject, Type } from 'typebox'
import { NOTHING_KEPT } from '../cache/cache.ts'
import { ApiError, type ErrorCode } from '../errors.ts'
import type { ContaAutenticada } from '../ledger/rules.ts'
import type { AddressCount, Turn } from '../limits.ts'
import type { Platform } from '../platform.ts'
import { ambientes } from '../wire/fonte.ts'
import { resultsOf, sectionsOf } from '../wire/source-status.ts'
import { signalOfLeaving, tallyOf } from './outcome.ts'

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

/** Letters of a Cache-Control header that are read. A client sends some twenty; a longer one is ignored. */
const LONGEST = 1_000

const DIRECTIVE = /([^\s",;=]+)(?:\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s",;]*)))?/g

/**
 * How old a kept answer may be for this request, in milliseconds, by its `Cache-Control`: `no-cache` and
 * `max-age=N` count, the strictest of several, and the rest is ignored. Undefined where it does not say.
 */
function maxAgeOf({ headers }: Pick<FastifyRequest, 'headers'>): number | undefined {
  const header = headers['cache-control']
  if (header === undefined || header.length > LONGEST) return undefined
  const ages = [...header.matchAll(DIRECTIVE)].flatMap(([, name = '', quoted, bare = '']) => {
    if (name.toLowerCase() === 'no-cache') return [NOTHING_KEPT]
    const seconds = quoted ?? bare
    if (name.toLowerCase() !== 'max-age' || !/^\d+$/.test(seconds)) return []
    // As `Age` counts: an answer of 10.9 seconds shows 10, and is taken under max-age=10.
    return [Number(seconds) * 1000 + 999]
  })
  return ages.length === 0 ? undefined : Math.min(...ages)
}

export function setAge(reply: FastifyReply, body: object, now: () => Date): void {
  const since = consultadoEm(body)
  if (since === '') return
  reply.header('age', Math.max(0, Math.floor((now().getTime() - Date.parse(since)) / 1000)))
}

/** Its own, or the oldest of its results and sections. Empty if nobody was asked. */
function consultadoEm(body: object): string {
  if ('consultado_em' in body) return String(body.consultado_em)
  let oldest = ''
  for (const section of sectionsOf(body)) {
    for (const entry of resultsOf(section)) {
      const since = String(Object(entry).consultado_em ?? '')
      if (since !== '' && (oldest === '' || since < oldest)) oldest = since
    }
  }
  return oldest
}

export const ageDescribed = {
  answerHeaders: {
    Age: countHeader(
      'Idade da resposta em segundos: o tempo desde consultado_em, o mais antigo deles quando há vários; ausente quando ninguém respondeu',
    ),
  },
  requestHeaders: Type.Object({
    'Cache-Control': Type.Optional(
      Type.String({
        description:
          'no-cache consulta de novo, sem usar resposta guardada; max-age=N só aceita uma de até N segundos. O preço é o mesmo. Se a nova consulta falhar, ' +
          'a resposta é a falha, e a guardada continua valendo para a próxima. Outras diretivas são ignoradas',
      }),
    ),
  }),
  hasAge: ({ properties }: TObject): boolean =>
    'consultado_em' in properties ||
    [{ properties }, ...Object.values(properties)].some((part) => {
      const { results } = Object(Object(part).properties)
      return 'consultado_em' in Object(Object(Object(results).items).properties)
    }),
}

export type Caller = {
  request_id: string
  conta: ContaAutenticada
  acesso: string | undefined
  header: (name: string, value: string) => void
  leaving: () => AbortSignal
  /** Milliseconds, by `Cache-Control`. An endpoint that asks this has the member `anew`. */
  maxAgeMs: () => number | undefined
  /** Of a call that may be repeated, which is one of an endpoint with the member `once`. */
  progress: Progress
}

export type Progress = {
  kept: boolean
  /** The steps of an earlier call with this key that was interrupted: as JSON has what `note` was given. */
  steps: readonly unknown[]
  /** Writes down all steps so far; they are on the disk when it resolves. Without a key it does nothing. */
  note: (steps: readonly unknown[]) => Promise<unknown>
}

export type Admit = (code: ErrorCode) => onRequestHookHandler

/** The codes of two refusals that one endpoint calls otherwise (specification, "HTTP errors by endpoint"). */
export type RefusalCodes = { rate: ErrorCode; credits: ErrorCode }

export const standardCodes: RefusalCodes = { rate: 'RATE_LIMIT_EXCEEDED', credits: 'LIMITE_ATINGIDO' }

/**
 * The most that a call may cost. `hold` is set aside before `run`, for lookups that take time; `charge` is
 * taken after a `run` that costs us next to nothing.
 */
export type Price = 'free' | { hold: number } | { charge: number }

export const mostOf = (price: Price): number => {
  if (price === 'free') return 0
  return 'charge' in price ? price.charge : price.hold
}

/** What an endpoint declares of payment. `nota`: a call has the account's price of an NF-e in reais. */
export type Terms = { url: string; price: Price; nota: boolean; codes: RefusalCodes }

export type Exchange = {
  platform: Platform
  request: FastifyRequest
  reply: FastifyReply
  call: Caller
  terms: Terms
}

function contaOf(request: FastifyRequest): ContaAutenticada {
  const { conta } = tallyOf(request)
  if (conta === undefined) throw new Error('this route has no authentication')
  return conta
}

export const openCall = (request: FastifyRequest, reply: FastifyReply): Caller => ({
  request_id: request.id,
  conta: contaOf(request),
  acesso: tallyOf(request).acesso,
  header: (name, value) => void reply.header(name, value),
  leaving: () => signalOfLeaving(reply.raw),
  maxAgeMs: () => maxAgeOf(request),
  progress: notKept,
})

const notKept: Progress = { kept: false, steps: [], note: async () => {} }
