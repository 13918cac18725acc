import { hkdfSync } from 'node:crypto'
import { errors, jwtVerify, SignJWT } from 'jose'
import type { ContasRoom } from './contas.ts'
import type { Acesso } from './store-acessos.ts'

/** How long a token lives by itself: 60 minutes. Its login may end before. */
const VIDA_DO_TOKEN_MS = 60 * 60_000

const EMISSOR = 'consulta-fiscal'
const PUBLICO = 'consulta-fiscal/api'
/** The one algorithm, whatever the header of a token says. */
const ALG = 'HS256'

/** A text that is longer is no token of ours: one has some 330 characters. */
const MAIOR_TOKEN = 1_000

export type TokenEmitido = { access_token: string; expires_in: number }

/** A token lives `vidaMs` at most, and no longer than its login. */
export async function issueToken(
  { now, secret }: Pick<ContasRoom, 'now' | 'secret'>,
  { id, conta_id, expira_em }: Pick<Acesso, 'id' | 'conta_id' | 'expira_em'>,
  vidaMs: number = VIDA_DO_TOKEN_MS,
): Promise<TokenEmitido> {
  const iat = Math.floor(now().getTime() / 1000)
  const exp = Math.min(iat + Math.floor(vidaMs / 1000), Math.floor(expira_em.getTime() / 1000))
  const access_token = await new SignJWT({ sid: id })
    .setProtectedHeader({ alg: ALG, typ: 'JWT' })
    .setIssuer(EMISSOR)
    .setAudience(PUBLICO)
    .setSubject(conta_id)
    .setIssuedAt(iat)
    .setExpirationTime(exp)
    .sign(chaveDe(secret))
  return { access_token, expires_in: exp - iat }
}

export type TokenLido = { conta_id: string; acesso: string }

/** Undefined unless it is ours, unchanged and in its time. Whether its login lives, the store says. */
export async function readToken(
  { now, secret }: Pick<ContasRoom, 'now' | 'secret'>,
  token: string,
): Promise<TokenLido | undefined> {
  if (token.length > MAIOR_TOKEN) return undefined
  try {
    const { payload } = await jwtVerify(token, chaveDe(secret), {
      algorithms: [ALG],
      issuer: EMISSOR,
      audience: PUBLICO,
      currentDate: now(),
      requiredClaims: ['sub', 'sid', 'exp', 'iat'],
      typ: 'JWT',
    })
    const { sub, sid } = payload
    return typeof sub === 'string' && typeof sid === 'string' ? { conta_id: sub, acesso: sid } : undefined
  } catch (error) {
    if (error instanceof errors.JOSEError) return undefined
    throw error
  }
}

const chaves = new Map<string, Uint8Array>()

/** The key that tokens are signed with: derived, so that no other use of the secret can make one. */
function chaveDe(secret: string): Uint8Array {
  const known = chaves.get(secret)
  if (known) return known
  const chave = new Uint8Array(hkdfSync('sha256', secret, '', 'consulta-fiscal access tokens', 32))
  chaves.set(secret, chave)
  return chave
}
