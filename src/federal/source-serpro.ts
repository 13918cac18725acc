import { type Static, Type } from 'typebox'
import { Check } from 'typebox/schema'
import { type CodigoDaFalha, type RetryS, type Source, SourceError } from '../platform/wire/fonte.ts'
import {
  type Ask,
  DeadlineError,
  type Http,
  type Reply,
  retryAfterOf,
  toSourceError,
  untilAborted,
} from '../platform/wire/http.ts'
import { parseJson } from '../portal/pagina.ts'

/** The gateway of the contracted APIs: the token endpoint and every product (public client code, 2026). */
const GATEWAY = 'https://gateway.apiserpro.serpro.gov.br'

/** WSO2: `{ code, message, description }`, in some versions inside `fault`. */
const Erro = Type.Object({
  code: Type.Union([Type.String(), Type.Number()]),
  message: Type.String(),
  description: Type.Optional(Type.String()),
})
const ErroDoGateway = Type.Union([Erro, Type.Object({ fault: Erro })])

/** What a product itself may answer. With any other status the gateway or the product failed. */
const DO_PRODUTO = new Set([200, 201, 202, 206, 400, 404, 422])

/** Whether a product gave this answer. A 404 of the gateway is a wrong path, and never an unknown company. */
const isOfProduct = (reply: Reply): boolean =>
  DO_PRODUTO.has(reply.status) && !(reply.status >= 400 && Check(ErroDoGateway, parseJson(reply)))

type Details = {
  source: Source
  reply: Reply
  kind?: 'http' | 'parse'
  codigo?: CodigoDaFalha
  retryS?: RetryS | undefined
}

const semContrato = (why: string, { source, reply, kind = 'http', codigo, retryS }: Details): SourceError =>
  new SourceError(kind, `${source.nome} ${why}`, {
    source: source.id,
    elapsedMs: reply.elapsedMs,
    status: reply.status,
    unavailable: true,
    codigo,
    retryS,
  })

/** The failure that an answer tells which is no product's. Its words name the operator who can mend it. */
function failureOf(source: Source, reply: Reply): SourceError {
  const { status } = reply
  const recusa = recusas[status]
  if (recusa) return semContrato(recusa.why, { source, reply, codigo: recusa.codigo, retryS: null })
  if (status === 429)
    return semContrato('recebe consultas demais deste contrato por ora.', {
      source,
      reply,
      retryS: retryAfterOf(reply),
    })
  if (status >= 500)
    return semContrato(`está fora do ar (HTTP ${status}).`, { source, reply, retryS: retryAfterOf(reply) })
  return new SourceError('http', `${source.nome} recusou a consulta (HTTP ${status}).`, {
    source: source.id,
    elapsedMs: reply.elapsedMs,
    status,
  })
}

const recusas: Readonly<Partial<Record<number, { why: string; codigo: CodigoDaFalha }>>> = {
  401: {
    why: 'recusou o token do contrato. Operador: confira SERPRO_KEY e SERPRO_SECRET.',
    codigo: 'credencial',
  },
  403: {
    why: 'não faz parte do contrato deste serviço com o SERPRO. Operador: contrate este produto.',
    codigo: 'sem-produto',
  },
}

export type ChavesDoContrato = { chave: string; segredo: string }

/** The tokens of one contract. They live in the memory of the process and are never logged. */
type TokensDoContrato = {
  current: (caller: Pick<Ask, 'source' | 'deadlineMs' | 'signal'>) => Promise<string>
  /** Drops a token that the gateway refused, unless a newer one is kept by now. */
  drop: (token: string) => void
}

/** The renewal serves every caller, so it has a deadline of its own. */
const RENEWAL_MS = 15_000
/** A token is not used in its last seconds: it could end on its way. */
const MARGIN_MS = 10_000

const source = { id: 'BR/contrato', nome: 'A autenticação do SERPRO' }

/** `expires_in`: seconds left of the token, which the gateway gives to everybody until it ends. */
const RespostaDoToken = Type.Object({
  access_token: Type.String({ minLength: 1, maxLength: 8_192, pattern: '^[\\x21-\\x7e]+$' }),
  token_type: Type.String({ pattern: '^[Bb]earer$' }),
  expires_in: Type.Number({ minimum: 0, maximum: 366 * 24 * 60 * 60 }),
})

type Kept = { token: string; until: number }

/** Opens the tokens of a contract: OAuth2 client credentials (RFC 6749, 4.4), one renewal at a time. */
function openTokens(http: Http, chaves: ChavesDoContrato, now: () => Date): TokensDoContrato {
  let kept: Kept | undefined
  let renewing: Promise<string> | undefined
  const renew = async (): Promise<string> => {
    const asked = now().getTime()
    const { access_token, expires_in } = await askToken(http, chaves)
    kept = { token: access_token, until: asked + expires_in * 1000 - MARGIN_MS }
    return access_token
  }
  return {
    current: (caller) => {
      if (kept && now().getTime() < kept.until) return Promise.resolve(kept.token)
      renewing ??= renew().finally(() => {
        renewing = undefined
      })
      return inTime(renewing, caller)
    },
    drop: (token) => {
      if (kept?.token === token) kept = undefined
    },
  }
}

async function inTime(
  renewing: Promise<string>,
  { source: asked, deadlineMs, signal }: Parameters<TokensDoContrato['current']>[0],
): Promise<string> {
  const started = performance.now()
  const late = new AbortController()
  const timer = setTimeout(() => late.abort(new DeadlineError()), deadlineMs)
  try {
    return await untilAborted(renewing, signal ? AbortSignal.any([signal, late.signal]) : late.signal)
  } catch (error) {
    if (signal?.aborted) throw signal.reason
    throw toSourceError(error, asked, Math.round(performance.now() - started))
  } finally {
    clearTimeout(timer)
  }
}

async function askToken(
  http: Http,
  { chave, segredo }: ChavesDoContrato,
): Promise<Static<typeof RespostaDoToken>> {
  const reply = await http.send({
    source,
    method: 'POST',
    url: `${GATEWAY}/token`,
    headers: {
      authorization: `Basic ${Buffer.from(`${chave}:${segredo}`).toString('base64')}`,
      'content-type': 'application/x-www-form-urlencoded',
      accept: 'application/json',
    },
    body: 'grant_type=client_credentials',
    deadlineMs: RENEWAL_MS,
    repeatable: true,
    maxBytes: 64 * 1024,
  })
  if (reply.status !== 200) throw refused(reply)
  const answer = parseJson(reply)
  if (Check(RespostaDoToken, answer)) return answer
  throw semContrato('não entregou um token que se entenda.', { source, reply, kind: 'parse', retryS: null })
}

/** A refusal with 400 (RFC 6749, 5.2) or 401 is about the key and the secret of the settings. */
function refused(reply: Reply): SourceError {
  if (reply.status !== 400 && reply.status !== 401) return failureOf(source, reply)
  return semContrato('recusou SERPRO_KEY e SERPRO_SECRET. Operador: confira as credenciais do contrato.', {
    source,
    reply,
    codigo: 'credencial',
    retryS: null,
  })
}

type PerguntaAoContrato = Pick<Ask, 'source' | 'method' | 'deadlineMs' | 'signal' | 'maxBytes'> & {
  path: `/${string}`
  body?: object
}

export type Contrato = {
  /** A refused token is renewed once. Throws SourceError for what is no product's answer. */
  send: (pergunta: PerguntaAoContrato) => Promise<Reply>
}

type Options = {
  chaves: ChavesDoContrato
  /** What the invoice shows beside each request (`X-Request-Tag`, 32 characters at most). */
  etiqueta: string | undefined
  now: () => Date
}

export function openContrato(http: Http, { chaves, etiqueta, now }: Options): Contrato {
  const tokens = openTokens(http, chaves, now)
  const ask = async (pergunta: PerguntaAoContrato, deadlineMs: number): Promise<[Reply, string]> => {
    const { source, method, path, body, signal, maxBytes } = pergunta
    const started = performance.now()
    const token = await tokens.current({ source, deadlineMs, signal })
    const reply = await http.send({
      source,
      method,
      url: GATEWAY + path,
      headers: {
        authorization: `Bearer ${token}`,
        accept: 'application/json',
        ...(etiqueta !== undefined && { 'x-request-tag': etiqueta }),
        ...(body && { 'content-type': 'application/json' }),
      },
      ...(body && { body: JSON.stringify(body) }),
      deadlineMs: leftOf(deadlineMs, started),
      signal,
      // Each request is billed, and a POST may start an issuance.
      repeatable: method === 'GET',
      ...(maxBytes !== undefined && { maxBytes }),
    })
    return [reply, token]
  }
  return {
    send: async (pergunta) => {
      const started = performance.now()
      const [first, token] = await ask(pergunta, pergunta.deadlineMs)
      if (first.status !== 401) return ofProduct(pergunta, first)
      tokens.drop(token)
      const [second] = await ask(pergunta, leftOf(pergunta.deadlineMs, started))
      return ofProduct(pergunta, second)
    },
  }
}

function ofProduct({ source }: PerguntaAoContrato, reply: Reply): Reply {
  if (isOfProduct(reply)) return reply
  throw failureOf(source, reply)
}

const leftOf = (deadlineMs: number, started: number): number =>
  Math.max(1, deadlineMs - (performance.now() - started))
