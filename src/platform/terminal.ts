import Table from 'cli-table3'
import picocolors from 'picocolors'
import stringWidth from 'string-width'
import wrapAnsi from 'wrap-ansi'
import { trusted } from './trusted.ts'

type Saida = { isTTY?: boolean; columns?: number }

/** How a text looks where there is colour: the words of the pages' badges, and of type. */
export type Tinta = 'bom' | 'nota' | 'ruim' | 'suave' | 'forte'

/** Whether colours go there. `NO_COLOR` wins over `FORCE_COLOR`; a pipe and a dumb terminal have none. */
export function hasColour(saida: Saida = process.stdout): boolean {
  const { NO_COLOR, FORCE_COLOR, TERM } = process.env
  if (NO_COLOR) return false
  if (FORCE_COLOR) return !/^(?:0|false)$/i.test(FORCE_COLOR)
  return saida.isTTY === true && TERM !== 'dumb'
}

/** Whether a line there can be written over, as one of progress is. */
export const canRewrite = (saida: Saida = process.stderr): boolean =>
  saida.isTTY === true && process.env.TERM !== 'dumb'

/**
 * A value as it came from outside, without what would steer a terminal in any text of it: controls other than
 * a new line, and marks of direction.
 */
export function semControle<T>(value: T): T {
  // The same shape: only the texts in it are changed.
  return trusted<T>(semControleEm(value))
}

function semControleEm(value: unknown): unknown {
  if (typeof value === 'string')
    return value.replaceAll('\t', ' ').replace(/[^\P{Cc}\n]|\p{Bidi_Control}/gu, '')
  if (Array.isArray(value)) return value.map(semControleEm)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, semControleEm(one)]))
}

const LEAST = 24

/** The columns of the terminal. In a pipe and in a file a line is as long as what it says. */
export function columnsOf(saida: Saida = process.stdout): number {
  if (saida.isTTY !== true) return Number.POSITIVE_INFINITY
  const asked = Number(process.env.COLUMNS)
  return Math.max(LEAST, asked > 0 ? asked : (saida.columns ?? 80))
}

export function paint(text: string, tinta: Tinta, saida: Saida = process.stdout): string {
  if (text === '') return ''
  const { green, yellow, red, dim, bold } = picocolors.createColors(hasColour(saida))
  return { bom: green, nota: yellow, ruim: red, suave: dim, forte: bold }[tinta](text)
}

/** Breaks a text at the width, but no word: an address is to be copied. `indent` is before all but line 1. */
export function wrap(text: string, indent = 0, saida: Saida = process.stdout): string {
  const columns = columnsOf(saida)
  if (columns === Number.POSITIVE_INFINITY) return text
  const [first = '', ...rest] = wrapAnsi(text, columns - indent).split('\n')
  return [first, ...rest.map((line) => ' '.repeat(indent) + line)].join('\n')
}

/** A text in which each line keeps the spaces that it begins with, as a help does. */
export const wrapLines = (text: string, saida: Saida = process.stdout): string =>
  text
    .split('\n')
    .map((line) => {
      const indent = /^ */.exec(line)?.[0].length ?? 0
      const hanging = /^ *(?:- |\d+\. )?/.exec(line)?.[0].length ?? 0
      return ' '.repeat(indent) + wrap(line.slice(indent), hanging, saida)
    })
    .join('\n')

/** Writes what people read, no wider than the terminal. */
export const say = (text: string): void => console.log(wrapLines(text))

/** A line between the answer and what is beside it, where one reader sees both. */
export function partAside(): void {
  if (process.stdout.isTTY === true && process.stderr.isTTY === true) console.error('')
}

/** On standard error, where everything goes that is not the answer. */
export const tellAside = (text: string, tinta?: Tinta): void =>
  console.error(
    tinta ? paint(wrap(text, 0, process.stderr), tinta, process.stderr) : wrap(text, 0, process.stderr),
  )

const GAP = 2
const none = { mid: '', 'left-mid': '', 'mid-mid': '', 'right-mid': '' }
const chars = {
  ...none,
  top: '',
  'top-mid': '',
  'top-left': '',
  'top-right': '',
  bottom: '',
  'bottom-mid': '',
  'bottom-left': '',
  'bottom-right': '',
  left: '',
  right: '',
  middle: ' '.repeat(GAP),
}
const style = { head: [], border: [], compact: true, 'padding-left': 0, 'padding-right': 0 }

const widest = (text: string): number => Math.max(0, ...text.split('\n').map((line) => stringWidth(line)))

/** An id and an address are not broken in a table, another longer word is. */
const LONGEST_WORD = 36

const leastOf = (text: string, longest = LONGEST_WORD): number =>
  Math.max(...text.split(/\s/).map((one) => Math.min(widest(one), one.includes('://') ? Infinity : longest)))

/** A column is a title, or a title and `right`: numbers stand below each other. */
type Coluna = string | readonly [title: string, align: 'right']

/**
 * Lines in columns, without a frame: a file of them can be read by programs of lines too. What is wider than
 * the terminal is broken within its column; where even that does not fit, each row is written as its facts.
 */
export function drawTable(
  colunas: readonly Coluna[],
  rows: readonly (readonly string[])[],
  indent = 0,
): string {
  const head = colunas.map((coluna) => (typeof coluna === 'string' ? coluna : coluna[0]))
  const column = (at: number): string[] => [head[at] ?? '', ...rows.map((row) => row[at] ?? '')]
  const natural = head.map((_, at) => Math.max(...column(at).map(widest)))
  const least = head.map((_, at) => Math.max(...column(at).map((cell) => leastOf(cell))))
  const room = columnsOf() - GAP * (head.length - 1) - indent
  const sum = (widths: readonly number[]): number => widths.reduce((all, one) => all + one, 0)
  if (sum(least) > room)
    return rows.map((row) => drawFacts(head.map((title, at) => [title, row[at] ?? '']))).join('\n\n')
  const widths = [...natural]
  while (sum(widths) > room) {
    const spare = widths.map((width, at) => width - (least[at] ?? 0))
    const at = spare.indexOf(Math.max(...spare))
    widths[at] = (widths[at] ?? 0) - 1
  }
  const fitted = (cells: readonly string[], tinta?: Tinta): string[] =>
    cells.map((cell, at) => {
      const text = wrapAnsi(cell, widths[at] ?? 0, { hard: true, trim: true })
      return tinta ? paint(text, tinta) : text
    })
  const table = new Table({
    chars,
    style,
    head: fitted(head, 'suave'),
    colWidths: widths,
    colAligns: colunas.map((coluna) => (typeof coluna === 'string' ? 'left' : 'right')),
  })
  for (const row of rows) table.push(fitted(head.map((_, at) => row[at] ?? '')))
  return table
    .toString()
    .split('\n')
    .map((line) => ' '.repeat(indent) + line.trimEnd())
    .join('\n')
}

/** Labels and values in two columns, without those that are empty. */
export function drawFacts(facts: readonly (readonly [label: string, value: string])[]): string {
  const told = facts.filter(([, value]) => value !== '')
  const width = Math.max(0, ...told.map(([label]) => stringWidth(label))) + GAP
  return told
    .map(([label, value]) => {
      const name = paint(label, 'suave')
      // The label stands above what has no room beside it.
      if (columnsOf() < width + Math.max(LEAST, leastOf(value, Infinity)))
        return `${name}\n  ${indented(value, 2)}`
      return name + ' '.repeat(width - stringWidth(label)) + indented(value, width)
    })
    .join('\n')
}

const indented = (value: string, indent: number): string =>
  value
    .split('\n')
    .map((line) => wrap(line, indent))
    .join(`\n${' '.repeat(indent)}`)
