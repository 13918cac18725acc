import { randomBytes } from 'node:crypto'
import { LRUCache } from 'lru-cache'

/** One visitor of a portal. */
export type Sessao<S> = {
  id: string
  /** Whether this request began it. */
  nova: boolean
  /**
   * Goes before the paths of the portal's links: `/(S(...))` where the session is in the path, else empty.
   */
  raiz: string
  /** What the portal keeps; change it in place. */
  dados: S
  /**
   * A value that must come back once, in this session, at that step: ViewState, __VIEWSTATE,
   * id_contexto_sessao and the like. `escrever` makes its text out of 24 random octets; base64 when left out.
   */
  emitirToken: (etapa: string, escrever?: (octetos: Buffer) => string) => string
  /** Whether it was given for that step of this session, and not used yet: it is used now. */
  conferirToken: (etapa: string, token: string) => boolean
  /** Forgets the session: the next request begins another. */
  encerrar: () => void
}

/** The sessions of one portal. */
export type Sessoes<S> = {
  /** The session of that id. A new one when it is gone, or when no id came. */
  abrir: (id: string | undefined) => Sessao<S>
  /** Whether the session is still there. */
  existe: (id: string) => boolean
}

/**
 * How many visitors a portal remembers, how many tokens of each, and for how long (milliseconds) an idle one.
 */
const MAXIMO = 4_000
const TOKENS = 64
const OCIOSA = 20 * 60_000

type Guardada<S> = { dados: S; tokens: Map<string, string>; vista: number }

/**
 * The sessions of a portal, in memory: the oldest of too many go, and those idle for 20 minutes by the
 * simulator's clock.
 */
export function criarSessoes<S>(
  { sessao, novaSessao }: { sessao: { em: 'cookie' | 'caminho' }; novaSessao: () => S },
  agora: () => Date,
): Sessoes<S> {
  // Made with the first session: the room for 4,000 takes half a millisecond, and there are many portals.
  let guardadas: LRUCache<string, Guardada<S>> | undefined
  const achar = (id: string): Guardada<S> | undefined => {
    const guardada = guardadas?.get(id)
    if (!guardada || agora().getTime() - guardada.vista > OCIOSA) return undefined
    return guardada
  }
  return {
    existe: (id) => achar(id) !== undefined,
    abrir: (pedida) => {
      const conhecida = pedida === undefined ? undefined : achar(pedida)
      // 24 small letters and digits, as ASP.NET's: fit for a cookie and for a path.
      const id = conhecida && pedida ? pedida : randomBytes(18).toString('hex').slice(0, 24)
      const guardada = conhecida ?? { dados: novaSessao(), tokens: new Map(), vista: 0 }
      guardada.vista = agora().getTime()
      guardadas ??= new LRUCache({ max: MAXIMO })
      if (!conhecida) guardadas.set(id, guardada)
      return {
        id,
        nova: !conhecida,
        raiz: sessao.em === 'caminho' ? `/(S(${id}))` : '',
        dados: guardada.dados,
        emitirToken: (etapa, escrever = emBase64) => emitir(guardada.tokens, etapa, escrever),
        conferirToken: (etapa, token) =>
          guardada.tokens.get(token) === etapa && guardada.tokens.delete(token),
        encerrar: () => guardadas?.delete(id),
      }
    },
  }
}

function emitir(tokens: Map<string, string>, etapa: string, escrever: (octetos: Buffer) => string): string {
  const token = escrever(randomBytes(24))
  tokens.set(token, etapa)
  const [primeiro] = tokens.keys()
  if (tokens.size > TOKENS && primeiro !== undefined) tokens.delete(primeiro)
  return token
}

function emBase64(octetos: Buffer): string {
  return octetos.toString('base64')
}
