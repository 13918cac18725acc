const CNPJ_WEIGHTS = [6, 5, 4, 3, 2, 9, 8, 7, 6, 5, 4, 3, 2]
const CPF_WEIGHTS = [11, 10, 9, 8, 7, 6, 5, 4, 3, 2]

/** Modulus-11 check digit of the characters before `end`: value = character code - 48, so a letter weighs 17 to 42. */
function checkDigit(text: string, end: number, weights: readonly number[]): number {
  let sum = 0
  for (let i = 0; i < end; i++) sum += (text.charCodeAt(i) - 48) * (weights[weights.length - end + i] ?? 0)
  const rest = sum % 11
  return rest < 2 ? 0 : 11 - rest
}

function hasCheckDigits(text: string, weights: readonly number[]): boolean {
  const length = text.length
  return (
    checkDigit(text, length - 2, weights) === text.charCodeAt(length - 2) - 48 &&
    checkDigit(text, length - 1, weights) === text.charCodeAt(length - 1) - 48
  )
}

/**
 * Whether `text` is a CNPJ: 14 digits, or the alphanumeric form (12 of `[A-Z0-9]` and two digits) issued since July
 * 2026 by IN RFB 2.229/2024, with valid check digits. `00000000000000` has them but was never issued.
 */
export const isCnpj = (text: string): boolean => cnpjProblem(text) === undefined

/** What keeps `text` from being a CNPJ, in Portuguese for who sent it; undefined when it is one. */
export function cnpjProblem(text: string): string | undefined {
  if (/[./\s-]/.test(text)) return 'envie somente dígitos, sem pontos, barra, traço ou espaços'
  if (text.length !== 14) return `envie 14 dígitos; caracteres recebidos: ${text.length}`
  if (!/^[A-Z0-9]{12}[0-9]{2}$/.test(text)) {
    return 'envie somente dígitos (ou, no CNPJ alfanumérico, letras maiúsculas nas 12 primeiras posições)'
  }
  if (text === '00000000000000' || !hasCheckDigits(text, CNPJ_WEIGHTS)) {
    return 'o dígito verificador não confere; verifique se o número foi digitado corretamente'
  }
  return undefined
}

/** Whether `text` is a CPF: 11 digits with valid check digits, not all the same. */
export const isCpf = (text: string): boolean =>
  /^[0-9]{11}$/.test(text) && !/^(.)\1{10}$/.test(text) && hasCheckDigits(text, CPF_WEIGHTS)

/**
 * The document as logs may hold it: a CPF with its middle six digits, as the Receita Federal masks it; a CNPJ with its
 * ends. Anything else shows only its length.
 */
export function maskDocumento(text: string): string {
  if (/^[0-9]{11}$/.test(text)) return `***${text.slice(3, 9)}**`
  if (/^[A-Z0-9]{14}$/.test(text)) return `${text.slice(0, 4)}********${text.slice(12)}`
  return `<${text.length} caracteres>`
}
