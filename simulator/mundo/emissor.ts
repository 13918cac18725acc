import { makeInscricao } from '../documento/inscricao-estadual.ts'
import type { Uf } from '../documento/molde.ts'

/** Hands out a number that the state has not given to another of the seeded world. */
export type Emissor = (uf: Uf, semente: number, tipo?: 'comum' | 'produtor') => string

/** An issuer that does not hand out a number twice. */
export function createEmissor(): Emissor {
  const emitidas = new Set<string>()
  return (uf, semente, tipo = 'comum') => {
    for (let tentativa = semente; ; tentativa++) {
      const ie = makeInscricao(uf, tentativa, tipo)
      if (emitidas.has(uf + ie)) continue
      emitidas.add(uf + ie)
      return ie
    }
  }
}
