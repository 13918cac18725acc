import type { Dominios } from './dominios.ts'
import type { Codigo, Indice } from './tabela.ts'
import type { Codificador } from './texto.ts'

/** What the encoder needs beside the row: the dictionary, the tables, the state of each municipality. */
export type Codificacao = {
  palavras: Codificador
  cnaes: Indice
  municipios: Indice
  naturezas: Indice
  qualificacoes: Indice
  motivos: Indice
  ufs: readonly string[]
}

/** What the decoder needs: the dictionary, the tables, and the code that a missing status reason stands for. */
export type Leitura = { palavras: readonly string[]; dominios: Dominios; semMotivo: Codigo }
