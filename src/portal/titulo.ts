import { arrumar, collapse, fold } from '../platform/texto.ts'
import { type Linha, lineOf } from './rules-palavras.ts'

/** The most lines of a title (MT's has three). */
const LINES = 4
const SHORT = 40

/**
 * Gives the title of a certificate on one line: all that `titulo` matches, else the first line that begins
 * with a certificate's name, and the lines that continue it. Empty if there is none.
 */
export function titleOf(texto: string, titulo?: RegExp): string {
  if (titulo) return matchesOf(lineOf(texto), titulo).join(' ')
  const lines = arrumar(texto).split('\n').map(collapse).filter(Boolean)
  const at = lines.findIndex((line) => begins.test(fold(line)))
  if (at < 0) return ''
  const rest = lines.slice(at + 1, at + LINES)
  const end = rest.findIndex((line) => !goesOn(line))
  return [lines[at], ...rest.slice(0, end < 0 ? rest.length : end)].join(' ')
}

/** `CERTIDÃO Nº 123` is a number. A sentence is no title. */
const begins =
  /^(?:(?:CND|CPD|CPN|CPEND|CPEN|CRF|CDT|CTD) ?- ?)?CERTIDAO (?!N(?:º|O|R|UMERO)?\.? ?:? ?\d|EMITIDA|EXPEDIDA|VALIDA|ACIMA)[^.:]{3,160}$/

/**
 * Whether a line continues the title: it is short or in capitals. Labels, numbers and firms do not (a firm
 * may be called Positiva).
 */
const goesOn = (line: string): boolean =>
  (line === line.toUpperCase() || line.length < SHORT) && !/[\d:.]/.test(line) && !notTitle.test(fold(line))

const notTitle = /^[^A-Z(]|^(?:CERTIFIC|FICA |NOME|RAZAO|CNPJ|CPF)|\b(?:LTDA|EIRELI|MEI|EPP|ME|S\/?A)$/

function matchesOf({ plain, folded }: Linha, wanted: RegExp): string[] {
  const everywhere = new RegExp(wanted.source, [...new Set(`${wanted.flags}g`)].join(''))
  return [...folded.matchAll(everywhere)].map(({ index, 0: { length } }) =>
    plain.slice(index, index + length).trim(),
  )
}
