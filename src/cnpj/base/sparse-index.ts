/**
 * Sparse index: the first root and the length of each block. Of a block that goes on with a company, also its
 * first order; README.md draws the bytes.
 */
export type SparseIndex = {
  raizes: Float64Array
  /** Offset of each block in the data file, and at the end the length of that file. */
  offsets: Float64Array
  /** Blocks that go on with a company, in rising order, and the first order of each. */
  continuations: Uint32Array
  ordens: Uint32Array
}

const HEADER = 16

/**
 * Makes the index file from the first root, the length and the first order of each block (0: not a
 * continuation).
 */
export function encodeIndex(raizes: Float64Array, lengths: Uint32Array, ordens: Uint32Array): Buffer {
  const continuations: number[] = []
  ordens.forEach((ordem, block) => {
    if (ordem > 0) continuations.push(block)
  })
  const n = raizes.length
  const file = new ArrayBuffer(HEADER + n * 12 + continuations.length * 8)
  const view = new DataView(file)
  view.setUint32(0, n, true)
  view.setUint32(4, continuations.length, true)
  new Float64Array(file, HEADER, n).set(raizes)
  new Uint32Array(file, HEADER + n * 8, n).set(lengths)
  new Uint32Array(file, HEADER + n * 12, continuations.length).set(continuations)
  const first = HEADER + n * 12 + continuations.length * 4
  new Uint32Array(file, first, continuations.length).set(continuations.map((block) => ordens[block] ?? 0))
  return Buffer.from(file)
}

/** Reads what `encodeIndex` made. Throws when its length does not agree with its counts. */
export function decodeIndex(bytes: Uint8Array): SparseIndex {
  if (bytes.length < HEADER) throw new Error('índice truncado')
  const file = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length)
  const view = new DataView(file)
  const n = view.getUint32(0, true)
  const m = view.getUint32(4, true)
  if (bytes.length !== HEADER + n * 12 + m * 8) throw new Error('índice truncado')
  const lengths = new Uint32Array(file, HEADER + n * 8, n)
  const offsets = new Float64Array(n + 1)
  for (let i = 0; i < n; i++) offsets[i + 1] = (offsets[i] ?? 0) + (lengths[i] ?? 0)
  return {
    raizes: new Float64Array(file, HEADER, n),
    offsets,
    continuations: new Uint32Array(file, HEADER + n * 12, m),
    ordens: new Uint32Array(file, HEADER + n * 12 + m * 4, m),
  }
}

/** Place of the first value of `limit` or more in the rising list[from, to); `to` when there is none. */
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

/** The only block that may hold this root and order; -1 when there is none. */
export function findBlock(indice: SparseIndex, raiz: number, ordem: number): number {
  const { raizes, continuations, ordens } = indice
  const last = firstFrom(raizes, raiz + 1, 0, raizes.length) - 1
  if (last < 1 || raizes[last] !== raiz || raizes[last - 1] !== raiz) return last
  const first = firstFrom(raizes, raiz, 0, last)
  const place = firstFrom(continuations, first + 1, 0, continuations.length)
  return first + firstFrom(ordens, ordem + 1, place, place + last - first) - place
}
