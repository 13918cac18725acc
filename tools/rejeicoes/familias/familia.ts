import { enumerate } from '../../../src/platform/texto.ts'

/** What an entry tells: why the note is refused, and what to do. */
export type Texto = { causas: string[]; passos: string[] }

/** How the last step speaks of the number of the note; `proprio`: the sheet's own last step does. */
export const destinos = [
  'livre',
  'consulte',
  'consumido',
  'aguarde',
  'evento',
  'inutilizacao',
  'nao-se-aplica',
  'pedido',
  'outro-numero',
  'proprio',
] as const

export type DestinoDoNumero = (typeof destinos)[number]

/** What is particular to a code, given to its family: `p` of its sheet. */
export type Ficha = {
  codigo: number
  /** The official reason without its prefix. */
  titulo: string
  campos: readonly string[]
  /** A parameter that the family cannot do without. Throws if the sheet lacks it. */
  um: (nome: string) => string
  /** A parameter that the sheet may lack: then the empty text. */
  talvez: (nome: string) => string
  /** A list; empty if the sheet lacks it. A single text is a list of one. */
  lista: (nome: string) => readonly string[]
}

/**
 * Makes the text of a code from its sheet. In every text `{det/prod/NCM}` stands for the label and the
 * path of a field.
 */
export type Familia = (ficha: Ficha) => Texto

/** Paths as places of a text: `{a}, {b} e {c}`. */
export const emCampos = (caminhos: readonly string[], junta: 'e' | 'ou' = 'e'): string =>
  enumerate(
    caminhos.map((caminho) => `{${caminho}}`),
    junta,
  )
