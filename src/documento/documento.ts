/**
 * The remainder modulus 11 of the weighted sum of the characters before `end`; the last one has the last
 * weight. The value of a character is its code - 48, so a letter weighs 17 to 42.
 */
export function remainder(text: string, end: number, weights: readonly number[]): number {
  let sum = 0
  for (let i = 0; i < end; i++) sum += (text.charCodeAt(i) - 48) * (weights[weights.length - end + i] ?? 0)
  return sum % 11
}

/** The check digit of the characters before `end`: 11 minus the remainder, where 10 and 11 give 0. */
function checkDigit(text: string, end: number, weights: readonly number[]): number {
  const rest = remainder(text, end, weights)
  return rest < 2 ? 0 : 11 - rest
}

/**
 * Whether the last `count` characters are the check digits of those before them. `weights` are those of the
 * last one.
 */
export function hasCheckDigits(text: string, weights: readonly number[], count = 2): boolean {
  for (let at = text.length - count; at < text.length; at++) {
    if (checkDigit(text, at, weights) !== text.charCodeAt(at) - 48) return false
  }
  return true
}

/** A taxpayer, by one of the two national numbers. */
export type Documento = { tipo: TipoNacional; documento: string }

/** The two national numbers. */
export const tiposNacionais = ['cpf', 'cnpj'] as const

type TipoNacional = (typeof tiposNacionais)[number]

/** The kinds of document that a taxpayer is asked about by. */
export const tiposDocumento = [...tiposNacionais, 'ie'] as const

export type TipoDocumento = (typeof tiposDocumento)[number]

const CNPJ_WEIGHTS = [6, 5, 4, 3, 2, 9, 8, 7, 6, 5, 4, 3, 2]
const CPF_WEIGHTS = [11, 10, 9, 8, 7, 6, 5, 4, 3, 2]

const MASKED = 'envie somente dígitos, sem pontos, barra, traço ou espaços'
const WRONG_DIGIT = 'o dígito verificador não confere; verifique se o número foi digitado corretamente'

/**
 * Whether `text` is a CNPJ with valid check digits: 14 digits, or the alphanumeric form (12 of `[A-Z0-9]` and
 * two digits) issued since July 2026 (IN RFB 2.229/2024). `00000000000000` has them but was never issued.
 */
export const isCnpj = (text: string): boolean => cnpjProblem(text) === undefined

/** Says in Portuguese why `text` is no CNPJ. Undefined if it is one. */
export function cnpjProblem(text: string): string | undefined {
  if (/[A-Za-z]/.test(text)) return cnpjComLetrasProblem(text)
  if (/[./\s-]/.test(text)) return MASKED
  if (text.length !== 14) return `envie 14 dígitos; caracteres recebidos: ${text.length}`
  if (!/^[0-9]{14}$/.test(text)) return 'envie somente dígitos'
  if (text === '00000000000000') return 'catorze dígitos zero não são um CNPJ'
  return hasCheckDigits(text, CNPJ_WEIGHTS) ? undefined : WRONG_DIGIT
}

/** Checks a text with letters by the rules of the alphanumeric CNPJ. */
function cnpjComLetrasProblem(text: string): string | undefined {
  if (/[./\s-]/.test(text)) return 'envie só as letras e os dígitos, sem pontos, barra, traço ou espaços'
  if (text.length !== 14)
    return `envie os 14 caracteres do CNPJ alfanumérico, ou os 14 dígitos do numérico; caracteres recebidos: ${text.length}`
  if (/[a-z]/.test(text)) return 'envie as letras do CNPJ alfanumérico em maiúsculas'
  if (!/^[A-Z0-9]{14}$/.test(text)) return 'envie só letras maiúsculas, sem acento, e dígitos'
  if (!/[0-9]{2}$/.test(text))
    return 'as letras do CNPJ alfanumérico ficam nas 12 primeiras posições; envie dígitos nas 2 últimas'
  return hasCheckDigits(text, CNPJ_WEIGHTS)
    ? undefined
    : 'o dígito verificador não confere; verifique as letras e os dígitos, um a um (O e 0, I e 1 se confundem)'
}

/** Whether `text` is a CPF: 11 digits with valid check digits, not all the same. */
export const isCpf = (text: string): boolean => cpfProblem(text) === undefined

/** Says in Portuguese why `text` is no CPF. Undefined if it is one. */
export function cpfProblem(text: string): string | undefined {
  if (/[./\s-]/.test(text)) return MASKED
  if (text.length !== 11) return `envie 11 dígitos; caracteres recebidos: ${text.length}`
  if (!/^[0-9]{11}$/.test(text)) return 'envie somente dígitos'
  if (/^(.)\1{10}$/.test(text)) return 'onze dígitos iguais não são um CPF'
  if (!hasCheckDigits(text, CPF_WEIGHTS)) return WRONG_DIGIT
  return undefined
}

/** Whether two CNPJs are of one company: their first eight characters are equal. Two CPFs never are. */
export const isMesmaEmpresa = (one: string, other: string): boolean =>
  one.length === 14 && other.length === 14 && one.slice(0, 8) === other.slice(0, 8)

/**
 * Writes a CPF or a CNPJ with its mask: `529.982.247-25`, `00.000.000/0001-91`, `12.ABC.345/01DE-35`. The
 * length tells which; text of any other length, or with a mask, stays as it is.
 */
export function formatDocumento(text: string): string {
  if (/[./-]/.test(text)) return text
  if (text.length === 11) return text.replace(/^(.{3})(.{3})(.{3})(.{2})$/, '$1.$2.$3-$4')
  if (text.length === 14) return text.replace(/^(.{2})(.{3})(.{3})(.{4})(.{2})$/, '$1.$2.$3/$4-$5')
  return text
}

/**
 * Masks a document for the log: a CPF keeps its middle six digits, as the Receita Federal masks it, and a
 * CNPJ keeps its ends. Any other text shows only its length.
 */
export function maskDocumento(text: string): string {
  if (/^[0-9]{11}$/.test(text)) return `***${text.slice(3, 9)}**`
  if (/^[A-Z0-9]{14}$/.test(text)) return `${text.slice(0, 4)}********${text.slice(12)}`
  return `<${text.length} caracteres>`
}

/** The digits and letters of a number, without its punctuation, in capitals. */
export const semMascara = (text: string): string => text.replace(/[^0-9A-Za-z]/g, '').toUpperCase()

/** Whether two numbers are the same but for zeros on the left: some pages drop them (RO), others add them. */
export const isMesmoNumero = (one: string, other: string): boolean =>
  one.replace(/^0+/, '') === other.replace(/^0+/, '')
