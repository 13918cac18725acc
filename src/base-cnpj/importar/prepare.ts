import { type Static, Type } from 'typebox'
import { diasDaData } from '../formato/data.ts'
import { Dominios } from '../formato/dominios.ts'
import { sampleDicionario } from './entradas/dictionary.ts'
import { readDominios } from './entradas/dominios.ts'
import { bytesOf, type Entradas } from './entradas/entradas.ts'

/** What every step of an import shares. Plain data: it goes to worker threads, and to disk for a second try. */
export const Preparo = Type.Object({
  palavras: Type.Array(Type.String()),
  dominios: Dominios,
  /** Slices of the roots, of each kind. */
  fatias: Type.Number(),
  /** Bytes of run files that one task of the second step reads, about. */
  trecho: Type.Number(),
  /** Latest date believed: one year after the import, as `diasDaData`. */
  dataLimite: Type.Number(),
  /** One line in so many is kept to be compared with what is read back. */
  amostrarCada: Type.Number(),
})
export type Preparo = Static<typeof Preparo>

const FATIAS_MAXIMO = 1024
const CSV_POR_FATIA = 2 << 20
/** Bounds the memory of a worker in the second step, and gives a small import steps too. */
const TRECHO_MAXIMO = 8 << 20
const TRECHO_MINIMO = 256 << 10
const TRECHOS = 64
const LINHAS_COMPARADAS = 10_000
const BYTES_POR_LINHA = 150

/** Decides the dictionary, the tables and the sizes of the work for these zips. */
export async function prepare(entradas: Entradas, now: Date): Promise<Preparo> {
  const bytes = bytesOf(entradas)
  return {
    dominios: await readDominios(entradas),
    palavras: await sampleDicionario(entradas),
    fatias: Math.min(FATIAS_MAXIMO, 2 ** Math.ceil(Math.log2(Math.max(1, bytes / CSV_POR_FATIA)))),
    trecho: Math.min(TRECHO_MAXIMO, Math.max(TRECHO_MINIMO, Math.floor(bytes / TRECHOS))),
    dataLimite: diasDaData(now.getUTCFullYear() + 1, now.getUTCMonth() + 1, Math.min(28, now.getUTCDate())),
    amostrarCada: Math.max(1, Math.floor(bytes / BYTES_POR_LINHA / LINHAS_COMPARADAS)),
  }
}
