/** So many things at a price in BRL, as decimal text such as `0.195`. */
export type Parcelas = { reais: string; vezes: number }

/** Adds prices up exactly, as decimal text with the digits of the longest. Throws for text that is none. */
export function somarReais(parcelas: readonly Parcelas[]): string {
  const casas = Math.max(0, ...parcelas.map(({ reais }) => casasDe(reais)))
  const total = parcelas.reduce((sum, { reais, vezes }) => sum + inteiroDe(reais, casas) * BigInt(vezes), 0n)
  if (casas === 0) return String(total)
  const digitos = String(total).padStart(casas + 1, '0')
  return `${digitos.slice(0, -casas)}.${digitos.slice(-casas)}`
}

/** Writes decimal text in BRL: `R$ 1.234,195`, with all its digits, and two at least. */
export function escreverReais(reais: string): string {
  const [inteiro = '', fracao = ''] = reais.split('.')
  const curta = fracao.replace(/0+$/, '')
  return `R$ ${inteiro.replace(/\B(?=(\d{3})+$)/g, '.')},${curta.padEnd(2, '0')}`
}

const casasDe = (reais: string): number => reais.split('.')[1]?.length ?? 0

function inteiroDe(reais: string, casas: number): bigint {
  if (!/^\d+(\.\d+)?$/.test(reais)) throw new RangeError('no price in BRL')
  return BigInt(reais.replace('.', '') + '0'.repeat(casas - casasDe(reais)))
}
