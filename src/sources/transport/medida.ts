import { AsyncLocalStorage } from 'node:async_hooks'

/** Milliseconds on a scale that never goes back. Only differences have a meaning. */
export type Clock = () => number

/** How long the parts of an exchange took, in milliseconds. */
export type Tempos = {
  /** Null where a connection was reused. */
  conexaoMs: number | null
  tlsMs: number | null
  /** From the request on a ready connection to the whole answer. */
  respostaMs: number
}

/** Measures one exchange. */
export type Medida = {
  /** Makes one attempt. What an earlier one took is forgotten. */
  attempt: <T>(send: () => T) => T
  connected: () => void
  encrypted: () => void
  tempos: () => Tempos
}

/**
 * Which exchange a connection is made for: a pool does not tell its connector. Only a door with a clock sets
 * it.
 */
const emCurso = new AsyncLocalStorage<Medida>()

/** The measure of the exchange that is being sent, if its door has a clock. */
export const medidaEmCurso = (): Medida | undefined => emCurso.getStore()

export function openMedida(clock: Clock): Medida {
  let ready = clock()
  let conexaoMs: number | null = null
  let tlsMs: number | null = null
  /** What passed since the last step. */
  const step = (): number => {
    const before = ready
    ready = clock()
    return Math.round(ready - before)
  }
  const medida: Medida = {
    attempt: (send) => {
      ready = clock()
      conexaoMs = null
      tlsMs = null
      return emCurso.run(medida, send)
    },
    connected: () => {
      conexaoMs = step()
    },
    encrypted: () => {
      tlsMs = step()
    },
    tempos: () => ({ conexaoMs, tlsMs, respostaMs: Math.round(clock() - ready) }),
  }
  return medida
}
