import type { Aleatorio } from './aleatorio.ts'

const PESOS = [6, 5, 4, 3, 2, 9, 8, 7, 6, 5, 4, 3, 2] as const
const ALFABETO = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ'

/**
 * Check digits of a CNPJ's first 12 characters, digits or letters: value = character code − 48 (IN RFB
 * 2.229/2024).
 */
export function dvCnpj(doze: string): string {
  const primeiro = dv(doze, 1)
  return `${primeiro}${dv(doze + primeiro, 0)}`
}

function dv(texto: string, deslocamento: number): number {
  let soma = 0
  for (let i = 0; i < texto.length; i++) soma += (texto.charCodeAt(i) - 48) * (PESOS[i + deslocamento] ?? 0)
  const resto = soma % 11
  return resto < 2 ? 0 : 11 - resto
}

/** A CPF with valid check digits, drawn at random. It belongs to no real person. */
export function sortearCpf(aleatorio: Aleatorio): string {
  const nove = String(1_000_000 + aleatorio.ate(998_000_000)).padStart(9, '0')
  return nove + dvCpf(nove)
}

/** Check digits of a CPF's first 9. */
export function dvCpf(nove: string): string {
  const primeiro = digitoCpf(nove)
  return `${primeiro}${digitoCpf(nove + primeiro)}`
}

function digitoCpf(texto: string): number {
  let soma = 0
  for (let i = 0; i < texto.length; i++) soma += (texto.charCodeAt(i) - 48) * (texto.length + 1 - i)
  const resto = (soma * 10) % 11
  return resto === 10 ? 0 : resto
}

/** The middle six digits of a CPF between asterisks, as the dump shows partners: `***123456**`. */
export function mascararCpf(cpf: string): string {
  return `***${cpf.slice(3, 9)}**`
}

/** Eight characters with at least one letter: an alphanumeric root. */
export function sortearRaizAlfanumerica(aleatorio: Aleatorio): string {
  let raiz = ''
  for (let i = 0; i < 8; i++) raiz += ALFABETO[aleatorio.ate(36)] ?? '0'
  const posicao = aleatorio.ate(8)
  return raiz.slice(0, posicao) + (ALFABETO[10 + aleatorio.ate(26)] ?? 'A') + raiz.slice(posicao + 1)
}
