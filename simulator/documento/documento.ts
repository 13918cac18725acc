import { type Aleatorio, mix } from './aleatorio.ts'

const PESOS = [6, 5, 4, 3, 2, 9, 8, 7, 6, 5, 4, 3, 2] as const
const ALFABETO = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ'

/** Check digits of a CNPJ's first 12 characters; value = character code − 48 (IN RFB 2.229/2024). */
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
export function pickCpf(aleatorio: Aleatorio): string {
  const nove = String(1_000_000 + aleatorio.ate(998_000_000)).padStart(9, '0')
  return nove + dvCpf(nove)
}

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
export const maskCpf = (cpf: string): string => `***${cpf.slice(3, 9)}**`

/** Eight characters with at least one letter: an alphanumeric root. */
export function pickRaizAlfanumerica(aleatorio: Aleatorio): string {
  let raiz = ''
  for (let i = 0; i < 8; i++) raiz += ALFABETO[aleatorio.ate(36)] ?? '0'
  const posicao = aleatorio.ate(8)
  return raiz.slice(0, posicao) + (ALFABETO[10 + aleatorio.ate(26)] ?? 'A') + raiz.slice(posicao + 1)
}

/** The kind of a bare document; undefined when its digits are wrong, all equal (CPF) or all zeros (CNPJ). */
export function tipoDoDocumento(texto: string): 'cnpj' | 'cpf' | undefined {
  if (/^\d{11}$/.test(texto))
    return dvCpf(texto.slice(0, 9)) === texto.slice(9) && !/^(.)\1*$/.test(texto) ? 'cpf' : undefined
  if (/^[0-9A-Z]{12}\d{2}$/.test(texto))
    return dvCnpj(texto.slice(0, 12)) === texto.slice(12) && !/^0*$/.test(texto) ? 'cnpj' : undefined
  return undefined
}

/** 32 bits out of a text: the same text always gives the same, near texts give unlike ones. */
export function sementeDe(texto: string): number {
  let h = 0
  for (let i = 0; i < texto.length; i++) h = mix(h, texto.charCodeAt(i))
  return h
}

/** The states that issue CPFs of a fiscal region, by the ninth digit (Receita Federal). */
export const regiaoFiscal = {
  0: ['RS'],
  1: ['DF', 'GO', 'MS', 'MT', 'TO'],
  2: ['AC', 'AM', 'AP', 'PA', 'RO', 'RR'],
  3: ['CE', 'MA', 'PI'],
  4: ['AL', 'PB', 'PE', 'RN'],
  5: ['BA', 'SE'],
  6: ['MG'],
  7: ['ES', 'RJ'],
  8: ['SP'],
  9: ['PR', 'SC'],
} as const

/** Fills a mask with the characters of a bare number, left to right; `0` is any character. */
export function mask(mascara: string, numero: string): string {
  let usados = 0
  return mascara.replaceAll('0', () => numero.charAt(usados++))
}

export const maskDocumento = (documento: string): string =>
  mask(documento.length === 11 ? '000.000.000-00' : '00.000.000/0000-00', documento)

export const cleanDocumento = (texto: string): string => texto.toUpperCase().replace(/[^0-9A-Z]/g, '')

/** YYYY-MM-DD as dd/mm/aaaa; empty stays empty. */
export const dataBrasileira = (data: string): string => data.split('-').reverse().join('/')
