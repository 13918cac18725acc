import { type Der, readDer } from '../../src/platform/wire/der.ts'

/** Reads a string that holds exactly one element, to its last byte. A random salt does not. */
export function wholeDer(corpo: Buffer): Der | undefined {
  try {
    const element = readDer(corpo)
    return element.inteiro.length === corpo.length ? element : undefined
  } catch {
    return undefined
  }
}
