import { type Static, Type } from 'typebox'
import { Check } from 'typebox/schema'
import type { SourceError } from '../platform/wire/fonte.ts'
import type { Ask, Http, Reply } from '../platform/wire/http.ts'
import { DeadlineError, toSourceError, untilAborted } from '../platform/wire/http.ts'
import { parseJson } from '../portal/pagina.ts'
import { failureOf, GATEWAY, semContrato } from './falha.ts'

/** The Consumer Key and Consumer Secret of the operator's contract. */
export type ChavesDoContrato = { chave: string; segredo: string }

/** The tokens of one contract. They live in the memory of the process and are never logged. */
export type TokensDoContrato = {
  /** The token in force. Throws SourceError, or the reason of `signal`. */
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
export function openTokens(http: Http, chaves: ChavesDoContrato, now: () => Date): TokensDoContrato {
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

/** Waits for the shared renewal no longer than one caller may. */
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
