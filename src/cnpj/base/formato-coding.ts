import type { Codigo, TableIndex } from './coding.ts'
import type { Dominios } from './dominios.ts'
import type { WordEncoder } from './text.ts'

/** What the encoder needs besides the row: the dictionary, the tables, and the state of each municipality. */
export type Encoding = {
  palavras: WordEncoder
  cnaes: TableIndex
  municipios: TableIndex
  naturezas: TableIndex
  qualificacoes: TableIndex
  motivos: TableIndex
  ufs: readonly string[]
}

/** What the decoder needs: the dictionary, the tables, and the code to show where a status has no reason. */
export type Decoding = { palavras: readonly string[]; dominios: Dominios; semMotivo: Codigo }
