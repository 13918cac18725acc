/** Decimal places that the arithmetic keeps; no field of the NF-e has more. */
const CASAS = 10

const UM = 10n ** BigInt(CASAS)

/** No field of the NF-e has as many digits. */
const MAIOR = 40

/** Reads a decimal as the NF-e writes it, in units of the tenth place. Undefined if it is none. */
export function parseDecimal(texto: string): bigint | undefined {
  return texto.length > CURTO ? parseLongo(texto) : parseCurto(texto)
}

/** Characters. So many digits fit a number exactly. */
const CURTO = 15

const MENOS = 45
const PONTO = 46
const ZERO = 48
const NOVE = 57

/** A large note has hundred thousands of values, and a pattern for each would take most of the time. */
function parseCurto(texto: string): bigint | undefined {
  const inicio = texto.charCodeAt(0) === MENOS ? 1 : 0
  let digitos = 0
  let ponto = -1
  for (let i = inicio; i < texto.length; i++) {
    const sinal = texto.charCodeAt(i)
    if (sinal >= ZERO && sinal <= NOVE) digitos = digitos * 10 + sinal - ZERO
    else if (sinal === PONTO && ponto < 0) ponto = i
    else return undefined
  }
  if (texto.length === inicio || ponto === inicio || ponto === texto.length - 1) return undefined
  const casas = ponto < 0 ? 0 : texto.length - 1 - ponto
  const fator = FATORES[CASAS - casas]
  if (fator === undefined) return undefined
  const escalado = digitos * fator
  const valor = Number.isSafeInteger(escalado) ? BigInt(escalado) : BigInt(digitos) * BigInt(fator)
  return inicio > 0 ? -valor : valor
}

/** The powers of ten up to the tenth. */
const FATORES = Array.from({ length: CASAS + 1 }, (_, i) => 10 ** i)

function parseLongo(texto: string): bigint | undefined {
  if (texto.length > MAIOR || !/^-?\d+(?:\.\d{1,10})?$/.test(texto)) return undefined
  const ponto = texto.indexOf('.')
  if (ponto < 0) return BigInt(texto) * UM
  return BigInt(texto.slice(0, ponto) + texto.slice(ponto + 1).padEnd(CASAS, '0'))
}

/** Writes a decimal as the NF-e does, with two places or as many more as it has. */
export function formatDecimal(valor: bigint): string {
  const digitos = String(valor < 0n ? -valor : valor).padStart(CASAS + 1, '0')
  const casas = digitos.slice(-CASAS).replace(/0{1,8}$/, '')
  return `${valor < 0n ? '-' : ''}${digitos.slice(0, -CASAS)}.${casas}`
}

/** Halves go away from zero. */
function arredondar(dividendo: bigint, divisor: bigint): bigint {
  const metade = (divisor < 0n ? -divisor : divisor) / 2n
  return (dividendo < 0n ? dividendo - metade : dividendo + metade) / divisor
}

/** The product of two decimals, rounded to ten places. */
export const multiplicar = (um: bigint, outro: bigint): bigint => arredondar(um * outro, UM)

/** The quotient of two decimals, rounded to ten places. Undefined if the divisor is zero. */
export const dividir = (dividendo: bigint, divisor: bigint): bigint | undefined =>
  divisor === 0n ? undefined : arredondar(dividendo * UM, divisor)

/** A count as a decimal. */
export const inteiro = (quantos: number): bigint => BigInt(quantos) * UM
