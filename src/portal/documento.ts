import { onOneLine } from '../platform/texto.ts'
import { withoutDuvida } from './rules-titular.ts'

/**
 * Whether a certificate (its lines, as `fold` gives them) is of the document, or names one of the
 * registrations and no other owner. A CPF may have its ends hidden (`***.456.789-**`), and a branch may
 * stand under its head office if the certificate is for all of them (PR, GO).
 */
export function namesDocumento(
  folded: string,
  documento: string,
  inscricoes: readonly string[] = [],
): boolean {
  const text = onOneLine(folded)
  if (isNamed(text, folded, documento)) return true
  if (inscricoes.some((inscricao) => holdsInscricao(text, inscricao))) return !isOfAnother(text, documento)
  return (
    documento.length === 14 &&
    forAllBranches.test(text) &&
    holds(text, [...documento.slice(0, 8), '0', '0', '0', '1'], { after: '' })
  )
}

/** A MEI has a CPF in its name. In a name, a document counts only if the paper declares no other. */
function isNamed(text: string, folded: string, documento: string): boolean {
  const digits = [...documento]
  const forms =
    digits.length === 11 ? [digits, [...hidden, ...digits.slice(3, 9), ...hidden.slice(1)]] : [digits]
  const sure = onOneLine(withoutDuvida(folded))
  return forms.some(
    (form) =>
      holds(text, form, { before: LABEL }) ||
      holds(sure, form) ||
      (holds(text, form) && declaredIn(text).every((one) => one === documento)),
  )
}

/** Whether the paper declares documents, and none of this company or person. */
function isOfAnother(text: string, documento: string): boolean {
  const declared = declaredIn(text)
  const ours = documento.length === 14 ? documento.slice(0, 8) : documento
  return declared.length > 0 && !declared.some((one) => one.startsWith(ours))
}

const LABEL = '(?:CNPJ|CPF)[/A-Z ]{0,12}:? ?'
const declared = new RegExp(
  `${LABEL}((?:[\\dA-Z]{2}\\.[\\dA-Z]{3}\\.[\\dA-Z]{3}/[\\dA-Z]{4}-|[\\dA-Z]{12}|\\d{3}\\.\\d{3}\\.\\d{3}-|\\d{9})\\d\\d)(?!\\d)`,
  'g',
)

const declaredIn = (text: string): string[] =>
  [...text.matchAll(declared)].map(([, value = '']) => value.replace(/[./-]/g, ''))

const forAllBranches = /\bMATRIZ E (?:SUAS |AS )?FILIAIS\b/

const hidden = ['[*X]', '[*X]', '[*X]']

/** MT prints the last 9 of 11 digits, and other states leave zeros out. */
function holdsInscricao(text: string, inscricao: string): boolean {
  const digits = inscricao.replace(/^0+/, '')
  return digits.length >= 6 && holds(text, ['0*', ...digits])
}

/**
 * Whether the characters stand in a row, with any punctuation between them, and are not part of a longer
 * number.
 */
function holds(
  text: string,
  characters: readonly string[],
  { before = '(?<!\\d)', after = '(?!\\d)' } = {},
): boolean {
  return new RegExp(`${before}${characters.join('[./ -]{0,2}')}${after}`).test(text)
}
