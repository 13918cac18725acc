import { hkdfSync } from 'node:crypto'
import { errors, jwtVerify, SignJWT } from 'jose'
import { LRUCache } from 'lru-cache'
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
    .sign(assinaturaDe(secret).chave)
  return { access_token, expires_in: exp - iat }
}

/** Tokens that are remembered, of some 400 octets each. */
const LEMBRADOS = 10_000

/**
 * The login of a token that is ours, unchanged and in its time; whether the login lives, the store says. To
 * check a signature takes as long as the rest of a call, so it is done once a token.
 */
export async function readToken(
  { now, secret }: Pick<ContasRoom, 'now' | 'secret'>,
  token: string,
): Promise<string | undefined> {
  if (token.length > MAIOR_TOKEN) return undefined
  const { chave, lidos } = assinaturaDe(secret)
  const lido = lidos.get(token)
  if (lido) return now().getTime() < lido.fimMs ? lido.acesso : undefined
  try {
    const { payload } = await jwtVerify(token, chave, {
      algorithms: [ALG],
      issuer: EMISSOR,
      audience: PUBLICO,
      currentDate: now(),
      requiredClaims: ['sub', 'sid', 'exp', 'iat'],
      typ: 'JWT',
    })
    const { sub, sid: acesso, exp = 0 } = payload
    if (typeof sub !== 'string' || typeof acesso !== 'string') return undefined
    lidos.set(token, { acesso, fimMs: exp * 1000 })
    return acesso
  } catch (error) {
    if (error instanceof errors.JOSEError) return undefined
    throw error
  }
}

/** The key of tokens, derived so that no other use of the secret can make one, and what was read by it. */
const openAssinatura = (secret: string) => ({
  chave: new Uint8Array(hkdfSync('sha256', secret, '', 'consulta-fiscal access tokens', 32)),
  lidos: new LRUCache<string, { acesso: string; fimMs: number }>({ max: LEMBRADOS }),
})

const assinaturas = new Map<string, ReturnType<typeof openAssinatura>>()

function assinaturaDe(secret: string): ReturnType<typeof openAssinatura> {
  const assinatura = assinaturas.get(secret) ?? openAssinatura(secret)
  assinaturas.set(secret, assinatura)
  return assinatura
}
