import { type Cursor, getVarint, type Output, putVarint } from './bytes.ts'

/**
 * A block is what one read brings; README.md draws its bytes. A company too large for a block goes on in
 * blocks of its own, each with the company's part again, so that a look-up never reads more than one.
 */
const BLOCK_BYTES = 4096
/** So that repeating a large part of the company costs a third at most. */
const EMPRESA_SHARE = 4

/** Of each block: its first root, its first order (0: not a continuation) and its length. */
export type Blocks = {
  out: Output
  raizes: number[]
  ordens: number[]
  lengths: number[]
  start: number
  last: number
}

/** Establishments are in rising order. */
export type Group = {
  raiz: number
  empresa: Uint8Array
  empresaEnd: number
  bytes: Uint8Array
  ordens: ArrayLike<number>
  starts: ArrayLike<number>
  ends: ArrayLike<number>
  count: number
}

export const createBlocks = (bytes: number): Blocks => ({
  out: { bytes: Buffer.allocUnsafeSlow(bytes), at: 0 },
  raizes: [],
  ordens: [],
  lengths: [],
  start: 0,
  last: 0,
})

function reserve(out: Output, more: number): void {
  if (out.bytes.length - out.at >= more) return
  const larger = Buffer.allocUnsafe(Math.max(out.bytes.length * 2, out.at + more))
  larger.set(out.bytes.subarray(0, out.at))
  out.bytes = larger
}

export function endBlock(blocks: Blocks): void {
  if (blocks.out.at === blocks.start) return
  blocks.lengths.push(blocks.out.at - blocks.start)
  blocks.start = blocks.out.at
}

function copy(out: Output, bytes: Uint8Array, start: number, end: number): void {
  let at = out.at
  for (let i = start; i < end; i++) out.bytes[at++] = bytes[i] ?? 0
  out.at = at
}

/** An upper bound of what establishments [from, to) take. */
function sizeOf(group: Group, from: number, to: number): number {
  let size = 0
  for (let i = from; i < to; i++) size += (group.ends[i] ?? 0) - (group.starts[i] ?? 0) + 8
  return size
}

function putPart(blocks: Blocks, scratch: Output, group: Group, from: number, to: number): void {
  const { out } = blocks
  scratch.at = 0
  reserve(scratch, group.empresaEnd + 16 + sizeOf(group, from, to))
  putVarint(scratch, group.empresaEnd)
  copy(scratch, group.empresa, 0, group.empresaEnd)
  let previous = 0
  for (let i = from; i < to; i++) {
    const ordem = group.ordens[i] ?? 0
    const start = group.starts[i] ?? 0
    const end = group.ends[i] ?? 0
    const last = i === to - 1
    putVarint(scratch, (ordem - previous) * 2 + (last ? 1 : 0))
    if (!last) putVarint(scratch, end - start)
    copy(scratch, group.bytes, start, end)
    previous = ordem
  }
  if (out.at > blocks.start && out.at - blocks.start + scratch.at > BLOCK_BYTES) endBlock(blocks)
  reserve(out, scratch.at + 16)
  if (out.at === blocks.start) {
    blocks.raizes.push(group.raiz)
    blocks.ordens.push(from === 0 ? 0 : (group.ordens[from] ?? 0))
    blocks.last = group.raiz
  }
  putVarint(out, group.raiz - blocks.last)
  blocks.last = group.raiz
  putVarint(out, scratch.at)
  copy(out, scratch.bytes, 0, scratch.at)
}

const scratch: Output = { bytes: Buffer.allocUnsafe(64 * 1024), at: 0 }

/** Roots must come in rising order. */
export function putGroup(blocks: Blocks, group: Group): void {
  const limit = Math.max(BLOCK_BYTES, group.empresaEnd * EMPRESA_SHARE)
  if (group.empresaEnd + sizeOf(group, 0, group.count) <= limit) {
    putPart(blocks, scratch, group, 0, group.count)
    return
  }
  endBlock(blocks)
  for (let from = 0; from < group.count; ) {
    let to = from + 1
    let size = group.empresaEnd + sizeOf(group, from, to)
    while (to < group.count) {
      size += sizeOf(group, to, to + 1)
      if (size > limit) break
      to++
    }
    putPart(blocks, scratch, group, from, to)
    endBlock(blocks)
    from = to
  }
}

/** Offsets of the company's part and of the establishment. */
export type Found = { empresa: number; estabelecimento: number }

/** `first` is the block's first root; with order -1, any establishment of the root will do. */
export function findInBlock(
  cursor: Cursor,
  length: number,
  first: number,
  raiz: number,
  ordem: number,
  found: Found,
): boolean {
  const end = cursor.at + length
  let current = first
  while (cursor.at < end) {
    current += getVarint(cursor)
    const size = getVarint(cursor)
    const groupEnd = cursor.at + size
    if (current === raiz) return findInGroup(cursor, groupEnd, ordem, found)
    if (current > raiz) return false
    cursor.at = groupEnd
  }
  return false
}

function findInGroup(cursor: Cursor, end: number, ordem: number, found: Found): boolean {
  const size = getVarint(cursor)
  found.empresa = cursor.at
  cursor.at += size
  let current = 0
  while (cursor.at < end) {
    const step = getVarint(cursor)
    const last = step % 2 === 1
    current += (step - (step % 2)) / 2
    const length = last ? end - cursor.at : getVarint(cursor)
    if (current === ordem || ordem === -1) {
      found.estabelecimento = cursor.at
      return true
    }
    if (last || current > ordem) return false
    cursor.at += length
  }
  return false
}

/** README.md draws the bytes. */
export type SparseIndex = {
  raizes: Float64Array
  /** Offset of each block in the data file, and at the end the length of that file. */
  offsets: Float64Array
  /** Blocks that go on with a company, in rising order, and the first order of each. */
  continuations: Uint32Array
  ordens: Uint32Array
}

const HEADER = 16

/** The first order is 0 where a block is no continuation. */
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

/** Throws when its length does not agree with its counts. */
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
