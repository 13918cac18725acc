import { existsSync } from 'node:fs'
import { join } from 'node:path'

/** What is measured of the house. The last three need a service that runs. */
export type NomeDaMedida = keyof typeof METAS

export type Medida = {
  nome: NomeDaMedida
  now: number
  /** What weighs most in it, a line each, the worst first. */
  worst: readonly string[]
}

/** What a measure says, and the figures that it may come to. */
type Meta = { what: string; least?: number; most?: number; isShare?: true }

/** The target of each measure, in the order in which they are shown. */
export const METAS = {
  files: { what: 'files of src (.ts)', most: 420 },
  lines: { what: 'lines of src (.ts)', most: 58_000 },
  'median file': { what: 'lines of the median file', least: 110, most: 180 },
  imports: { what: 'imports between files of src', most: 2_000 },
  'one importer': { what: 'files that one other file imports' },
  'narrowing types': { what: 'narrowing types', most: 18 },
  'circles of rooms': { what: 'pairs of rooms that import each other', most: 0 },
  glossary: { what: 'rows of the glossary', most: 45 },
  comments: { what: 'lines of comments', most: 0.08, isShare: true },
  'simulator files': { what: 'files of the simulator', most: 170 },
  'simulator lines': { what: 'lines of the simulator (.ts, .md)', most: 20_000 },
  'files of an IE': { what: 'files that run for one IE', most: 40 },
  'files of a CND': { what: 'files that run for one CND', most: 55 },
  'files of an NF-e': { what: 'files that run for one NF-e with an event', most: 50 },
} satisfies Record<string, Meta>

/** A target that is missed on purpose: the figure that was reached, and the record in docs/decisions. */
export type Excecao = { nome: NomeDaMedida; reached: number; decision: string }

const DECISION = '0095-what-the-house-does-not-come-to.md'

export const EXCECOES: readonly Excecao[] = [
  { nome: 'files', reached: 421, decision: DECISION },
  { nome: 'lines', reached: 80_650, decision: DECISION },
  { nome: 'imports', reached: 2_775, decision: DECISION },
  { nome: 'median file', reached: 191, decision: DECISION },
  { nome: 'files of an IE', reached: 45, decision: DECISION },
  // One run in two has a file more.
  { nome: 'files of a CND', reached: 58, decision: DECISION },
]

const metaOf = (nome: NomeDaMedida): Meta => METAS[nome]

/** By how much a figure misses its target; 0 where it meets it. */
function missOf({ least = 0, most = Number.POSITIVE_INFINITY }: Meta, figure: number): number {
  return Math.max(least - figure, figure - most, 0)
}

/**
 * Whether a measure is where it must be. An exception holds while its figure gets no worse and its decision
 * record exists.
 */
export function judge(
  { nome, now }: Medida,
  root: string,
  excecoes = EXCECOES,
): 'met' | 'accepted' | 'missed' {
  const meta = metaOf(nome)
  const miss = missOf(meta, now)
  if (miss === 0) return 'met'
  const isAccepted = excecoes.some(
    (excecao) =>
      excecao.nome === nome &&
      miss <= missOf(meta, excecao.reached) &&
      existsSync(join(root, 'docs/decisions', excecao.decision)),
  )
  return isAccepted ? 'accepted' : 'missed'
}

const formatFigure = ({ isShare }: Meta, figure: number): string =>
  isShare ? `${(figure * 100).toFixed(1)} %` : figure.toLocaleString('en-US')

function formatTarget(meta: Meta): string {
  const { least, most } = meta
  if (most === undefined) return ''
  if (least === undefined) return most === 0 ? '0' : `≤ ${formatFigure(meta, most)}`
  return `${formatFigure(meta, least)} to ${formatFigure(meta, most)}`
}

/** A measure as the cells of a row: what it is, its figure, its target, how it stands. */
export function rowOf(medida: Medida, root: string): string[] {
  const meta = metaOf(medida.nome)
  const verdict = judge(medida, root)
  return [
    meta.what,
    formatFigure(meta, medida.now),
    formatTarget(meta),
    meta.most === undefined ? '' : verdict,
  ]
}
