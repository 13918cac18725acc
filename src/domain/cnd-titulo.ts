import { collapse, fold } from './texto-plano.ts'

/** A title runs over so many lines at most (MT's has three). */
const LINES = 4

/**
 * The title of a certificate, on one line: all that `titulo` matches, or else the first line that begins with the name of
 * a certificate, with the lines in capitals that go on with it. Empty when there is none.
 */
export function titleOf(texto: string, titulo?: RegExp): string {
  if (titulo) return matchesOf(collapse(texto), titulo).join(' ')
  const lines = texto
    .split(/\r?\n|\r/)
    .map(collapse)
    .filter(Boolean)
  const at = lines.findIndex((line) => begins.test(fold(line)))
  if (at < 0) return ''
  const rest = lines.slice(at + 1, at + LINES)
  const end = rest.findIndex((line) => !goesOn(line))
  return [lines[at], ...rest.slice(0, end < 0 ? rest.length : end)].join(' ')
}

/** `CERTIDÃO Nº 123` is the number, and a sentence is no title. */
const begins =
  /^(?:(?:CND|CPD|CPN|CPEND|CPEN|CRF|CDT|CTD) ?- ?)?CERTIDAO (?!N(?:º|O|R|UMERO)?\.? ?:? ?\d|EMITIDA|EXPEDIDA|VALIDA|ACIMA)[^.:]{3,160}$/

/** In capitals, with nothing that a label or a number has. */
const goesOn = (line: string): boolean =>
  line === line.toUpperCase() &&
  /^[A-Z]/.test(fold(line)) &&
  !/[\d:]/.test(line) &&
  !/^(?:CERTIFIC|NOME|RAZAO|CNPJ|CPF)/.test(fold(line))

function matchesOf(plain: string, wanted: RegExp): string[] {
  const everywhere = new RegExp(wanted.source, [...new Set(`${wanted.flags}g`)].join(''))
  return [...fold(plain).matchAll(everywhere)].map(({ index, 0: { length } }) =>
    plain.slice(index, index + length),
  )
}
