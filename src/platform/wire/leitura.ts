import type { SourceErrorKind } from './fonte.ts'

/** Open, it is not asked until `ate`; on trial, the next query shows whether it is back. */
export type Circuito = { estado: 'fechado' } | { estado: Exclude<EstadoDoCircuito, 'fechado'>; ate: Date }

export const estadosDoCircuito = ['fechado', 'aberto', 'em-teste'] as const

type EstadoDoCircuito = (typeof estadosDoCircuito)[number]

/** The code is the authority's, HTTP's or the system's; empty if it has none. */
export type FalhaDaFonte = { tipo: SourceErrorKind; codigo: string; em: Date }

export type Leitura = {
  fonte: string
  em: Date
  ms: number
  falha: FalhaDaFonte | undefined
  vazia: boolean
  incompleta: boolean
  rotulos: readonly string[]
  circuito: Circuito
}

export type Anotacao = Partial<Pick<Leitura, 'vazia' | 'incompleta' | 'rotulos'>>

/** Answers, and how many of them found nothing. */
export type Respostas = { respostas: number; vazias: number }

export type UltimaHora = {
  consultas: number
  sucessos: number
  vazias: number
  incompletas: number
  /** The answers of the seven days before the last hour. */
  antes: Respostas
  rotulos: readonly string[]
  mediana_ms: number | undefined
  resposta: Date | undefined
  falha: FalhaDaFonte | undefined
  circuito: Circuito
}

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

const ENOUGH_BEFORE = 100
/** Of 20 expected finds, 5 or fewer happen by chance once in 14,000 hours. */
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
