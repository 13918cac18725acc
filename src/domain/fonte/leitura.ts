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
export type FalhaDaFonte = { tipo: SourceErrorKind; codigo: string; em: Date }

/** One query that was sent to a source, and how it ended. */
export type Leitura = {
  /** The source's id, `SP/ie`. */
  fonte: string
  em: Date
  /** From the sending to the end, in milliseconds. */
  ms: number
  falha: FalhaDaFonte | undefined
  /** Whether it was answered with nothing: no registration, no certificate. */
  vazia: boolean
  /** Unknown labels on its page. */
  rotulos: readonly string[]
  circuito: Circuito
}

/** What a query tells of its answer while it runs. */
export type Anotacao = Partial<Pick<Leitura, 'vazia' | 'rotulos'>>

/** Answers, and how many of them found nothing. */
export type Respostas = { respostas: number; vazias: number }

/** What became of the queries sent to a source in the last hour, by all nodes. */
export type UltimaHora = {
  consultas: number
  sucessos: number
  /** Of those, how many found nothing. */
  vazias: number
  /** The answers of the seven days before the last hour. */
  antes: Respostas
  /** Unknown labels on its pages, a few of them. */
  rotulos: readonly string[]
  /** Median time of the ones that were answered, of a sample of them where they are many; undefined when none was. */
  mediana_ms: number | undefined
  falha: FalhaDaFonte | undefined
  circuito: Circuito
}

/** Of a source that was not asked. */
export const semLeituras: UltimaHora = {
  consultas: 0,
  sucessos: 0,
  vazias: 0,
  antes: { respostas: 0, vazias: 0 },
  rotulos: [],
  mediana_ms: undefined,
  falha: undefined,
  circuito: { estado: 'fechado' },
}

/** How many labels of a source are kept at once. */
export const MOST_ROTULOS = 5

/** Answers that must have been seen before the last hour is compared with them. */
const ENOUGH_BEFORE = 100
/**
 * How many finds the last hour must promise before their lack means anything. Of 20 expected, 5 or fewer
 * happen by chance once in 14,000 hours.
 */
const ENOUGH_EXPECTED = 20

/**
 * Whether a source finds so little that its page may say "não encontrado" to everybody. By the seven days
 * before, at least 20 answers should have found something, and fewer than a quarter did.
 */
export function achaPouco({ sucessos, vazias, antes }: UltimaHora): boolean {
  if (antes.respostas < ENOUGH_BEFORE) return false
  const expected = sucessos * (1 - antes.vazias / antes.respostas)
  return expected >= ENOUGH_EXPECTED && (sucessos - vazias) * 4 <= expected
}
