import { randomBytes } from 'node:crypto'
import { LRUCache } from 'lru-cache'

/** One visitor of a portal. */
export type Sessao<S> = {
  id: string
  /** Whether this request began it. */
  nova: boolean
  /** Goes before the paths of the portal's links: `/(S(...))` where the session is in the path, else empty. */
  raiz: string
  /** What the portal keeps; change it in place. */
  dados: S
  /**
   * A value that must come back once, in this session, at that step: ViewState, __VIEWSTATE, id_contexto_sessao and the like.
   * `escrever` makes its text out of 24 random octets; base64 when left out.
   */
  emitirToken: (etapa: string, escrever?: (octetos: Buffer) => string) => string
  /** Whether it was given for that step of this session, and not used yet: it is used now. */
  conferirToken: (etapa: string, token: string) => boolean
  /** Forgets the session: the next request begins another. */
  encerrar: () => void
}
