import type { Uf } from './molde.ts'

/**
 * The check digits of a registration, in their order; `corpo` is its other digits, without the letter of SP's
 * rural form. Rules: sintegra.gov.br, "Inscrição Estadual"; GO by the roteiro of its own SEFAZ.
 */
export function digitosVerificadores(uf: Uf, corpo: string): string {
  switch (uf) {
    case 'AC':
    case 'DF':
    case 'PE':
      return doisDigitos(corpo, 9)
    case 'PR':
      return doisDigitos(corpo, 7)
    case 'RJ':
      return modulo11(corpo, 7)
    case 'RN':
      return modulo11(corpo, 10)
    case 'AP':
      return amapa(corpo)
    case 'BA':
      return bahia(corpo)
    case 'GO':
      return goias(corpo)
    case 'MG':
      return minasGerais(corpo)
    case 'RO':
      return String((11 - resto(corpo, 9)) % 10)
    case 'RR':
      return String([...corpo].reduce((soma, digito, i) => soma + Number(digito) * (i + 1), 0) % 9)
    case 'SP':
      return saoPaulo(corpo)
    case 'TO':
      // The 11-digit form carries the kind of taxpayer in positions 3 and 4; the sum skips it.
      return modulo11(corpo.length === 10 ? corpo.slice(0, 2) + corpo.slice(4) : corpo, 9)
    default:
      return modulo11(corpo, 9)
  }
}

/** Sum modulo 11 with weights from the right, 2 up to `maior` and from 2 again, on top of `inicial`. */
function resto(corpo: string, maior: number, inicial = 0): number {
  let soma = inicial
  for (let i = 0; i < corpo.length; i++) soma += Number(corpo.at(-1 - i)) * (2 + (i % (maior - 1)))
  return soma % 11
}

/** 11 less the remainder; 10 and 11 become 0. */
function modulo11(corpo: string, maior: number): string {
  const r = resto(corpo, maior)
  return String(r < 2 ? 0 : 11 - r)
}

function doisDigitos(corpo: string, maior: number): string {
  const primeiro = modulo11(corpo, maior)
  return primeiro + modulo11(corpo + primeiro, maior)
}

/** Two ranges of old numbers add a constant to the sum, and one of them turns the result 11 into 1. */
function amapa(corpo: string): string {
  const numero = Number(corpo)
  const [soma, onze] = numero <= 3017000 ? [5, 0] : numero <= 3019022 ? [9, 1] : [0, 0]
  const digito = 11 - resto(corpo, 9, soma)
  return String(digito === 11 ? onze : digito % 10)
}

/** The second digit is worked out first; the pivot (1st of 8 digits, 2nd of 9) tells modulus 10 from 11. */
function bahia(corpo: string): string {
  const modulo = '679'.includes(corpo.charAt(corpo.length - 6)) ? 11 : 10
  const digito = (texto: string): string => {
    const soma = [...texto].reduce((total, d, i) => total + Number(d) * (texto.length + 1 - i), 0)
    const r = soma % modulo
    return String(r === 0 || (modulo === 11 && r === 1) ? 0 : modulo - r)
  }
  const segundo = digito(corpo)
  return digito(corpo + segundo) + segundo
}

function goias(corpo: string): string {
  const r = resto(corpo, 9)
  const numero = Number(corpo)
  return r === 1 && numero >= 10103105 && numero <= 10119997 ? '1' : String(r < 2 ? 0 : 11 - r)
}

/**
 * First digit: a zero after the municipality, weights 1 and 2 by turns, the digits of the products summed.
 */
function minasGerais(corpo: string): string {
  const aberto = `${corpo.slice(0, 3)}0${corpo.slice(3)}`
  let soma = 0
  for (let i = 0; i < aberto.length; i++) {
    const produto = Number(aberto[i]) * (1 + (i % 2))
    soma += Math.floor(produto / 10) + (produto % 10)
  }
  const primeiro = String((10 - (soma % 10)) % 10)
  return primeiro + modulo11(corpo + primeiro, 11)
}

/** Companies: 8 digits, check, 2 digits, check. Rural form (11 free digits): one check after the eighth. */
function saoPaulo(corpo: string): string {
  const oito = corpo.slice(0, 8)
  const soma = [1, 3, 4, 5, 6, 7, 8, 10].reduce((total, peso, i) => total + peso * Number(oito[i]), 0)
  const primeiro = String((soma % 11) % 10)
  if (corpo.length === 11) return primeiro
  return primeiro + String(resto(oito + primeiro + corpo.slice(8), 10) % 10)
}
