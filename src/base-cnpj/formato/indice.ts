/**
 * Sparse index: of each block the first root and the length; of each block that goes on with a company of the block
 * before, also its first order. On disk (little-endian): counts of both, roots, lengths, places and orders of the latter.
 */
export type IndiceEsparso = {
  raizes: Float64Array
  /** Where each block starts in the data file, and at the end where the last one ends. */
  offsets: Float64Array
  /** Blocks that go on with a company, rising, and the first order of each. */
  continuacoes: Uint32Array
  ordens: Uint32Array
}

const CABECALHO = 16

/** Bytes of the index file of `blocos` blocks with roots, lengths and first orders (0: not a continuation). */
export function encodeIndice(raizes: Float64Array, tamanhos: Uint32Array, ordens: Uint32Array): Buffer {
  const continuacoes: number[] = []
  ordens.forEach((ordem, bloco) => {
    if (ordem > 0) continuacoes.push(bloco)
  })
  const n = raizes.length
  const file = new ArrayBuffer(CABECALHO + n * 12 + continuacoes.length * 8)
  const view = new DataView(file)
  view.setUint32(0, n, true)
  view.setUint32(4, continuacoes.length, true)
  new Float64Array(file, CABECALHO, n).set(raizes)
  new Uint32Array(file, CABECALHO + n * 8, n).set(tamanhos)
  new Uint32Array(file, CABECALHO + n * 12, continuacoes.length).set(continuacoes)
  const first = CABECALHO + n * 12 + continuacoes.length * 4
  new Uint32Array(file, first, continuacoes.length).set(continuacoes.map((bloco) => ordens[bloco] ?? 0))
  return Buffer.from(file)
}

/** Reads what `encodeIndice` made; throws when its length does not agree with its counts. */
export function decodeIndice(bytes: Uint8Array): IndiceEsparso {
  if (bytes.length < CABECALHO) throw new Error('índice truncado')
  const file = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length)
  const view = new DataView(file)
  const n = view.getUint32(0, true)
  const m = view.getUint32(4, true)
  if (bytes.length !== CABECALHO + n * 12 + m * 8) throw new Error('índice truncado')
  const tamanhos = new Uint32Array(file, CABECALHO + n * 8, n)
  const offsets = new Float64Array(n + 1)
  for (let i = 0; i < n; i++) offsets[i + 1] = (offsets[i] ?? 0) + (tamanhos[i] ?? 0)
  return {
    raizes: new Float64Array(file, CABECALHO, n),
    offsets,
    continuacoes: new Uint32Array(file, CABECALHO + n * 12, m),
    ordens: new Uint32Array(file, CABECALHO + n * 12 + m * 4, m),
  }
}

/** Place of the first value of the rising list[from, to) that is `limit` or more; `to` when none is. */
function firstFrom(list: ArrayLike<number>, limit: number, from: number, to: number): number {
  let low = from
  let high = to
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((list[middle] ?? 0) < limit) low = middle + 1
    else high = middle
  }
  return low
}

/** The only block that may hold this root and order; -1 when none does. */
export function findBloco(indice: IndiceEsparso, raiz: number, ordem: number): number {
  const { raizes, continuacoes, ordens } = indice
  const last = firstFrom(raizes, raiz + 1, 0, raizes.length) - 1
  if (last < 1 || raizes[last] !== raiz || raizes[last - 1] !== raiz) return last
  const first = firstFrom(raizes, raiz, 0, last)
  const place = firstFrom(continuacoes, first + 1, 0, continuacoes.length)
  return first + firstFrom(ordens, ordem + 1, place, place + last - first) - place
}
