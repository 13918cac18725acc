import type { SourceErrorKind } from './fonte.ts'

/**
 * The circuit of a source. Closed, it is asked; open, it is not asked until `ate`, after several outages; on
 * trial, the next query shows whether it is back.
 */
export type Circuito = { estado: 'fechado' } | { estado: Exclude<EstadoDoCircuito, 'fechado'>; ate: Date }

export const estadosDoCircuito = ['fechado', 'aberto', 'em-teste'] as const

type EstadoDoCircuito = (typeof estadosDoCircuito)[number]

/**
 * The last failure of a source: its kind, and the code of the authority, of HTTP or of the system, empty if
 * it has none.
 */
export type FalhaDaFonte = { tipo: SourceErrorKind; codigo: string; em: Date }

/** One query that was sent to a source, and its end. */
export type Leitura = {
  /** The source's id, `SP/ie`. */
  fonte: string
  em: Date
  /** Milliseconds from the sending to the end. */
  ms: number
  falha: FalhaDaFonte | undefined
  /** Whether the answer found nothing: no registration, no certificate. */
  vazia: boolean
  /** Whether a good answer lacks what the source always shows. */
  incompleta: boolean
  /** Unknown labels on its page. */
  rotulos: readonly string[]
  circuito: Circuito
}

/** The reports of a query while it runs. */
export type Anotacao = Partial<Pick<Leitura, 'vazia' | 'incompleta' | 'rotulos'>>

/** Answers, and how many of them found nothing. */
export type Respostas = { respostas: number; vazias: number }

/** What became of the queries to a source in the last hour, on all nodes. */
export type UltimaHora = {
  consultas: number
  sucessos: number
  /** How many of the successes found nothing. */
  vazias: number
  /** How many of the successes lacked what the source always shows. */
  incompletas: number
  /** The answers of the seven days before the last hour. */
  antes: Respostas
  /** Some of the unknown labels on its pages. */
  rotulos: readonly string[]
  /** The median time of the answers, or of a sample if they are many. Undefined if there was none. */
  mediana_ms: number | undefined
  /** When it last answered, or the minute of that. */
  resposta: Date | undefined
  falha: FalhaDaFonte | undefined
  circuito: Circuito
}

/** The last hour of a source that was not asked. */
export const semLeituras: UltimaHora = {
  consultas: 0,
  sucessos: 0,
  vazias: 0,
  incompletas: 0,
  antes: { respostas: 0, vazias: 0 },
  rotulos: [],
  mediana_ms: undefined,
  resposta: undefined,
  falha: undefined,
  circuito: { estado: 'fechado' },
}

/** How many labels of a source are kept at once. */
export const MOST_ROTULOS = 5

/** The last hour is compared only after so many earlier answers. */
const ENOUGH_BEFORE = 100
/**
 * The last hour is judged only if so many finds are expected. Of 20 expected, 5 or fewer happen by chance
 * once in 14,000 hours.
 */
const ENOUGH_EXPECTED = 20

/**
 * Whether a source finds so little that its page may say "não encontrado" to everybody: of at least 20 finds
 * that the seven days before promise, it made fewer than a quarter.
 */
export function achaPouco({ sucessos, vazias, antes }: UltimaHora): boolean {
  if (antes.respostas < ENOUGH_BEFORE) return false
  const expected = sucessos * (1 - antes.vazias / antes.respostas)
  return expected >= ENOUGH_EXPECTED && (sucessos - vazias) * 4 <= expected
}
