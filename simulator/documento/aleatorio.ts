/** A seeded stream of numbers: the same (seed, keys) always gives the same stream, in any order of calls. */
export type Aleatorio = {
  /** Restarts the stream for a row: what the row says depends on nothing but its keys. */
  seed(chave: number, sal: number): void
  u32(): number
  /** An integer from 0 to `limite` − 1. */
  ate(limite: number): number
  chance(p: number): boolean
}

/** One integer out of two, well mixed (murmur3's finaliser): for choices that must not cost a stream. */
export function mix(a: number, b: number): number {
  let h = Math.imul(a ^ 0x9e3779b9, 0x85ebca6b) ^ Math.imul(b + 0x7f4a7c15, 0xc2b2ae35)
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b)
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35)
  return (h ^ (h >>> 16)) >>> 0
}

/** A stream for `semente` (xorshift128, seeded by `mix`). */
export function createAleatorio(semente: number): Aleatorio {
  let x = 1
  let y = 2
  let z = 3
  let w = 4
  function u32(): number {
    const t = x ^ (x << 11)
    x = y
    y = z
    z = w
    w = w ^ (w >>> 19) ^ t ^ (t >>> 8)
    return w >>> 0
  }
  return {
    seed(chave, sal) {
      x = mix(chave, semente) | 1
      y = mix(sal, x)
      z = mix(chave ^ 0x5bd1e995, y)
      w = mix(semente, z)
    },
    u32,
    ate: (limite) => Math.floor((u32() / 0x100000000) * limite),
    chance: (p) => u32() < p * 0x100000000,
  }
}

export type Sorteio = (aleatorio: Aleatorio) => string

/**
 * A draw by Zipf's law over `palavras`, commonest first: the k-th has the weight 1/(k +
 * deslocamento)^expoente.
 */
export function zipf(palavras: readonly string[], expoente = 1, deslocamento = 2): Sorteio {
  const slots = 0x10000
  const pesos = palavras.map((_, k) => 1 / (k + deslocamento) ** expoente)
  const total = pesos.reduce((soma, peso) => soma + peso, 0)
  const tabela = new Uint16Array(slots)
  let acumulado = 0
  let slot = 0
  for (const [k, peso] of pesos.entries()) {
    acumulado += peso
    const fim = Math.max(slot + 1, Math.round((acumulado / total) * slots))
    while (slot < Math.min(fim, slots)) tabela[slot++] = k
  }
  return (aleatorio) => palavras[tabela[aleatorio.u32() >>> 16] ?? 0] ?? ''
}
