import { type Static, Type } from 'typebox'
import { diasDaData } from '../base/date.ts'
import { Dominios } from '../base/dominios.ts'
import { sampleDictionary } from './dictionary.ts'
import { readDominios } from './dominios.ts'
import { bytesOf, type Entradas } from './entradas.ts'

/**
 * What every step of an import shares. It is plain data: it goes to worker threads, and to disk for a second
 * try.
 */
export const Setup = Type.Object({
  palavras: Type.Array(Type.String()),
  dominios: Dominios,
  /** Slices of the roots of digits, and of those with letters. */
  fatias: Type.Number(),
  /** About how many bytes of run files one task of the second step reads. */
  trecho: Type.Number(),
  /** Latest date believed: one year after the import, as `diasDaData`. */
  dataLimite: Type.Number(),
  /** One line in so many is kept, to be compared with what is read back. */
  amostrarCada: Type.Number(),
})
export type Setup = Static<typeof Setup>

const MAX_SLICES = 1024
const CSV_PER_SLICE = 2 << 20
/**
 * Bounds what a worker of the second step holds in memory; smaller for a small import, so that it has steps
 * too.
 */
const MAX_STRETCH = 8 << 20
const MIN_STRETCH = 256 << 10
const STRETCHES = 64
const COMPARED_LINES = 10_000
const BYTES_PER_LINE = 150

/** Decides the dictionary, the tables and the sizes of the work for these zips. */
export async function decideSetup(entradas: Entradas, now: Date): Promise<Setup> {
  const bytes = bytesOf(entradas)
  return {
    dominios: await readDominios(entradas),
    palavras: await sampleDictionary(entradas),
    fatias: Math.min(MAX_SLICES, 2 ** Math.ceil(Math.log2(Math.max(1, bytes / CSV_PER_SLICE)))),
    trecho: Math.min(MAX_STRETCH, Math.max(MIN_STRETCH, Math.floor(bytes / STRETCHES))),
    dataLimite: diasDaData(now.getUTCFullYear() + 1, now.getUTCMonth() + 1, Math.min(28, now.getUTCDate())),
    amostrarCada: Math.max(1, Math.floor(bytes / BYTES_PER_LINE / COMPARED_LINES)),
  }
}
