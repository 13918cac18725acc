import type { SourceErrorKind } from './source-error.ts'

/**
 * Whether a source is asked: as always; not until `ate`, after outages in a row; or with the next query only, which tells
 * whether it is back.
 */
export type Circuito =
  | { estado: 'fechado' }
  | { estado: 'aberto'; ate: Date }
  | { estado: 'em-teste'; ate: Date }

/** The last failure of a source: its kind, and the code that the authority, HTTP or the system gave it, empty when none did. */
export type Falha = { tipo: SourceErrorKind; codigo: string; em: Date }

/** One query that was sent to a source, and how it ended. */
export type Leitura = {
  /** The source's id, `SP/ie`. */
  fonte: string
  em: Date
  /** From the sending to the end, in milliseconds. */
  ms: number
  falha: Falha | undefined
  circuito: Circuito
}

/** What became of the queries sent to a source in the last hour, by all nodes. */
export type UltimaHora = {
  consultas: number
  sucessos: number
  /** Median time of the ones that were answered, of a sample of them where they are many; undefined when none was. */
  mediana_ms: number | undefined
  falha: Falha | undefined
  circuito: Circuito
}

/** Of a source that was not asked. */
export const semLeituras: UltimaHora = {
  consultas: 0,
  sucessos: 0,
  mediana_ms: undefined,
  falha: undefined,
  circuito: { estado: 'fechado' },
}
