import type { KeyObject } from 'node:crypto'
import { gerarEc, gerarRsa } from './cadeia.ts'

type Par = { privateKey: KeyObject; publicKey: KeyObject }

/**
 * Key pairs that many certificates share, each made at its first use: to make one for every file takes
 * minutes.
 */
export type Chaveiro = { rsa: () => Promise<Par>; ec: () => Promise<Par> }

/** New key pairs, not yet made. */
export function criarChaveiro(): Chaveiro {
  return { rsa: umaVez(gerarRsa), ec: umaVez(gerarEc) }
}

/** The same promise for every caller. */
export function umaVez<T>(fazer: () => Promise<T>): () => Promise<T> {
  let feito: Promise<T> | undefined
  return () => {
    feito ??= fazer()
    return feito
  }
}
