import { randomBytes } from 'node:crypto'
import { createChallenge, verifySolution } from 'altcha-lib/v1'
import { LRUCache } from 'lru-cache'

/** Proofs of work: challenges and their solutions (ALTCHA, protocol version 1). */
export type Desafios = {
  criar: () => ReturnType<typeof createChallenge>
  /** Whether the payload (JSON in base64) solves a challenge of ours: once, before it expires. */
  conferir: (payload: string) => Promise<boolean>
}

/** Milliseconds that a challenge is good for; how far the number may be: a few milliseconds of work. */
const PRAZO = 10 * 60_000
const MAXIMO = 5_000

/** The office of proofs of work, by the simulator's clock. */
export function criarDesafios(agora: () => Date): Desafios {
  const hmacKey = randomBytes(32).toString('hex')
  const usados = new LRUCache<string, true>({ max: 10_000 })
  return {
    criar: () =>
      createChallenge({ hmacKey, maxnumber: MAXIMO, expires: new Date(agora().getTime() + PRAZO) }),
    conferir: async (payload) => {
      const lido = lerPayload(payload)
      if (!lido || usados.has(lido.salt) || lido.ate < agora().getTime()) return false
      // Its own check of the expiry looks at the machine's clock. It throws at an algorithm that nobody has.
      const certo = await verifySolution(payload, hmacKey, false).catch(() => false)
      if (!certo || usados.has(lido.salt)) return false
      usados.set(lido.salt, true)
      return true
    },
  }
}

function lerPayload(payload: string): { salt: string; ate: number } | undefined {
  try {
    const lido: unknown = JSON.parse(Buffer.from(payload, 'base64').toString())
    if (typeof lido !== 'object' || lido === null || !('salt' in lido) || typeof lido.salt !== 'string')
      return undefined
    const { expires } = Object.fromEntries(new URLSearchParams(lido.salt.split('?')[1]))
    return { salt: lido.salt, ate: Number(expires) * 1000 || 0 }
  } catch {
    return undefined
  }
}
