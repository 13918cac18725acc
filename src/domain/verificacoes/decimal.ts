/** Decimal places that the arithmetic keeps; no field of the NF-e has more. */
const CASAS = 10

const UM = 10n ** BigInt(CASAS)

/** No field of the NF-e has as many digits. */
const MAIOR = 40

/** Reads a decimal as the NF-e writes it, in units of the tenth place. Undefined if it is none. */
export function parseDecimal(texto: string): bigint | undefined {
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
