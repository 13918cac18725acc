import { type Der, readDer } from '../../src/sources/certificado/der.ts'

/** What a string holds when it is one element, to its last byte: a random salt is not. */
export function wholeDer(corpo: Buffer): Der | undefined {
  try {
    const element = readDer(corpo)
    return element.inteiro.length === corpo.length ? element : undefined
  } catch {
    return undefined
  }
}
