import type { FastifyReply, FastifyRequest } from 'fastify'
import { ApiError, type ErrorCode, errorOf } from '../platform/errors.ts'
import { type Admit, setRateHeaders } from '../platform/http/exchange.ts'
import { tallyOf } from '../platform/http/outcome.ts'
import { type ContaAutenticada, nomeDoPlano } from '../platform/ledger/rules.ts'
import type { Turn } from '../platform/limits.ts'
import type { ContasRoom } from './contas.ts'
import type { KeyCache } from './store-chaves.ts'
import { readToken } from './token.ts'

/** What travels in a URL stays in every log on the way: it is refused even beside a good header. */
const SECRET_IN_URL =
  /[?&](?:(?:x-)?api[-_]?key|access_token|authorization|bearer)=|fk_[0-9A-Za-z]{38}|eyJ[\w-]{8,400}\.eyJ[\w-]{8,800}\./i

/** Where a caller went wrong, by what was sent alone: no sentence tells whether a key or a token exists. */
const UNAUTHENTICATED = {
  nothing:
    'Envie a chave de API da sua conta no cabeçalho X-API-Key, ou o token de um login em Authorization: Bearer.',
  unknown:
    'A chave de API ou o token enviado não é reconhecido: está incompleto, não existe, venceu, foi revogado, ou o login foi encerrado. A chave atual da sua conta está nas configurações do painel.',
  keyAsBearer:
    'A chave de API veio no cabeçalho Authorization, que é o do token de um login. Envie-a no cabeçalho X-API-Key.',
  inUrl:
    'A chave de API e o token não são aceitos na URL, onde ficam gravados em registros pelo caminho. Envie-os só nos cabeçalhos X-API-Key e Authorization, e troque o que foi enviado assim.',
  masked:
    'A chave de API enviada está mascarada, como uma página a mostra. Copie a inteira (fk_ e 38 letras e dígitos), nas configurações do painel.',
  quoted: 'A chave de API veio com aspas ou espaços. Envie só a chave no cabeçalho X-API-Key.',
} as const

function unauthenticated({ url, headers }: FastifyRequest): ApiError {
  const { 'x-api-key': given = '', authorization = '' } = headers
  const key = String(given)
  if (SECRET_IN_URL.test(url)) return new ApiError('NAO_AUTENTICADO', UNAUTHENTICATED.inUrl)
  const elsewhere = key === '' && authorization === '' ? headerWithKey(headers) : undefined
  if (elsewhere)
    return new ApiError(
      'NAO_AUTENTICADO',
      `A chave de API veio no cabeçalho ${elsewhere}. Envie-a no cabeçalho X-API-Key.`,
    )
  return new ApiError('NAO_AUTENTICADO', UNAUTHENTICATED[key === '' ? sentAs(authorization) : keyAs(key)])
}

const headerWithKey = (headers: FastifyRequest['headers']): string | undefined =>
  Object.keys(headers).find((name) => /^["']?fk_/.test(String(headers[name])))

/** A header is read as Latin-1: an ellipsis and a bullet in UTF-8 are three characters there. */
const MASK = /\*{3}|\.{3}|\xe2\x80[\xa2\xa6]/

function keyAs(key: string): 'masked' | 'quoted' | 'unknown' {
  if (MASK.test(key)) return 'masked'
  return /^["']|["']$|\s/.test(key) ? 'quoted' : 'unknown'
}

function sentAs(authorization: string): 'nothing' | 'unknown' | 'keyAsBearer' {
  if (/^(?:bearer +)?fk_/i.test(authorization)) return 'keyAsBearer'
  return /^bearer +\S/i.test(authorization) ? 'unknown' : 'nothing'
}

const BLOCKED = 'O operador do serviço bloqueou esta conta. Nada foi consultado nem cobrado.'

/** Key or token (401), the plan's rate limit (429, `code`), the operator's block (403), before the body. */
export const admitWith =
  (room: ContasRoom): Admit =>
  (code) =>
  (request, reply, done) => {
    const asking = { request, reply, code }
    // A known key and a count in memory are no promises: nearly every request goes on at once.
    let limited: void | Promise<void>
    try {
      const found = findConta(room, asking)
      limited =
        found instanceof Promise
          ? found.then((conta) => limit(room, conta, asking))
          : limit(room, found, asking)
    } catch (error) {
      done(errorOf(error))
      return
    }
    if (limited instanceof Promise) limited.then(() => done(), done)
    else done()
  }

function limit(
  { refusedKeys, rateLimit }: ContasRoom,
  conta: ContaAutenticada | undefined,
  asking: Asking,
): void | Promise<void> {
  const { request } = asking
  if (conta === undefined) {
    refusedKeys.add(request.ip)
    throw unauthenticated(request)
  }
  tallyOf(request).conta = conta
  const turn = rateLimit.consume(conta)
  return turn instanceof Promise
    ? turn.then((known) => applyLimit(known, conta, asking))
    : applyLimit(turn, conta, asking)
}

type Asking = { request: FastifyRequest; reply: FastifyReply; code: ErrorCode }

type Found = ReturnType<KeyCache['find']>

function findConta(room: ContasRoom, asking: Asking): Found {
  const { 'x-api-key': presented, authorization = '' } = asking.request.headers
  const key = typeof presented === 'string' ? presented : ''
  const token = key === '' ? BEARER.exec(authorization)?.[1] : undefined
  return token === undefined ? findIn(room.keys, key, room, asking) : findByToken(token, room, asking)
}

/** A token as RFC 6750, 2.1, has it, of three parts. */
const BEARER = /^bearer +([\w-]+\.[\w-]+\.[\w-]+) *$/i

/** The signature comes before any question to the database; the login itself may have ended. */
async function findByToken(
  token: string,
  room: ContasRoom,
  asking: Asking,
): Promise<ContaAutenticada | undefined> {
  const acesso = await readToken(room, token)
  if (acesso === undefined) {
    turnAway(room, asking)
    return undefined
  }
  tallyOf(asking.request).acesso = acesso
  return findIn(room.logins, acesso, room, asking)
}

/** After 60 refused ones a minute from an address, one that nobody has seen valid is refused unread. */
function findIn(known: KeyCache, key: string, room: ContasRoom, asking: Asking): Found {
  const seen = known.seen(key)
  if (seen) return seen
  if (!known.knows(key)) turnAway(room, asking)
  return known.find(key)
}

function turnAway({ refusedKeys }: ContasRoom, { request, reply, code }: Asking): void {
  const waitS = refusedKeys.waitS(request.ip)
  if (waitS === undefined) return
  reply.header('retry-after', waitS)
  const detail = `Deste endereço vieram muitas chaves de API e tokens que não valem. Tente de novo em ${waitS} s.`
  throw new ApiError(code, detail)
}

function applyLimit(turn: Turn, conta: ContaAutenticada, { request, reply, code }: Asking): void {
  const { ok, limit } = turn
  const reset = setRateHeaders(reply, turn)
  if (SECRET_IN_URL.test(request.url)) throw unauthenticated(request)
  if (!ok) {
    reply.header('retry-after', reset)
    const detail = `O plano ${nomeDoPlano(conta.plano)} permite ${limit} requisições por minuto. Tente de novo em ${reset} s.`
    throw new ApiError(code, detail)
  }
  if (conta.bloqueio !== undefined)
    throw new ApiError('CONTA_BLOQUEADA', `${BLOCKED} Motivo: ${conta.bloqueio}`)
}
