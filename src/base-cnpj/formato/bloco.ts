import { type Cursor, getVarint, putVarint, type Saida } from './bytes.ts'

/**
 * Blocks: what one read brings. A block is groups in key order; a group is
 *   varint root minus the previous group's (the first: 0), varint length, then varint length of the company's part, that part,
 *   and per establishment: varint (order minus the previous) * 2 + last, varint length unless last, its bytes.
 * A company too large for a block goes on in blocks of its own, each with the company's part again, so that a
 * look-up never reads more than one.
 */
const TAMANHO = 4096
/** Blocks of a company whose own part is large grow with it, so that repeating it costs a third at most. */
const VEZES_EMPRESA = 4

/** Blocks under construction: their bytes one after the other, and of each its first root, first order and length. */
export type Blocos = {
  out: Saida
  raizes: number[]
  ordens: number[]
  tamanhos: number[]
  start: number
  last: number
}

/** One group as the writer has it: the company's part, and where each establishment's bytes are, by order. */
export type Grupo = {
  raiz: number
  empresa: Uint8Array
  empresaEnd: number
  bytes: Uint8Array
  ordens: ArrayLike<number>
  starts: ArrayLike<number>
  ends: ArrayLike<number>
  count: number
}

/** No blocks yet, and room for `bytes` of them; it grows when they are more. */
export const createBlocos = (bytes: number): Blocos => ({
  out: { bytes: Buffer.allocUnsafeSlow(bytes), at: 0 },
  raizes: [],
  ordens: [],
  tamanhos: [],
  start: 0,
  last: 0,
})

function reserve(out: Saida, more: number): void {
  if (out.bytes.length - out.at >= more) return
  const larger = Buffer.allocUnsafe(Math.max(out.bytes.length * 2, out.at + more))
  larger.set(out.bytes.subarray(0, out.at))
  out.bytes = larger
}

/** Closes the block in course, if any. */
export function endBloco(blocos: Blocos): void {
  if (blocos.out.at === blocos.start) return
  blocos.tamanhos.push(blocos.out.at - blocos.start)
  blocos.start = blocos.out.at
}

function copy(out: Saida, bytes: Uint8Array, start: number, end: number): void {
  let at = out.at
  for (let i = start; i < end; i++) out.bytes[at++] = bytes[i] ?? 0
  out.at = at
}

/** An upper bound of what establishments [from, to) take. */
function sizeOf(grupo: Grupo, from: number, to: number): number {
  let size = 0
  for (let i = from; i < to; i++) size += (grupo.ends[i] ?? 0) - (grupo.starts[i] ?? 0) + 8
  return size
}

function putParte(blocos: Blocos, scratch: Saida, grupo: Grupo, from: number, to: number): void {
  const { out } = blocos
  scratch.at = 0
  reserve(scratch, grupo.empresaEnd + 16 + sizeOf(grupo, from, to))
  putVarint(scratch, grupo.empresaEnd)
  copy(scratch, grupo.empresa, 0, grupo.empresaEnd)
  let previous = 0
  for (let i = from; i < to; i++) {
    const ordem = grupo.ordens[i] ?? 0
    const start = grupo.starts[i] ?? 0
    const end = grupo.ends[i] ?? 0
    const last = i === to - 1
    putVarint(scratch, (ordem - previous) * 2 + (last ? 1 : 0))
    if (!last) putVarint(scratch, end - start)
    copy(scratch, grupo.bytes, start, end)
    previous = ordem
  }
  if (out.at > blocos.start && out.at - blocos.start + scratch.at > TAMANHO) endBloco(blocos)
  reserve(out, scratch.at + 16)
  if (out.at === blocos.start) {
    blocos.raizes.push(grupo.raiz)
    blocos.ordens.push(from === 0 ? 0 : (grupo.ordens[from] ?? 0))
    blocos.last = grupo.raiz
  }
  putVarint(out, grupo.raiz - blocos.last)
  blocos.last = grupo.raiz
  putVarint(out, scratch.at)
  copy(out, scratch.bytes, 0, scratch.at)
}

const scratch: Saida = { bytes: Buffer.allocUnsafe(64 * 1024), at: 0 }

/** Adds a company with its establishments; roots must come in rising order. */
export function putGrupo(blocos: Blocos, grupo: Grupo): void {
  const limit = Math.max(TAMANHO, grupo.empresaEnd * VEZES_EMPRESA)
  if (grupo.empresaEnd + sizeOf(grupo, 0, grupo.count) <= limit) {
    putParte(blocos, scratch, grupo, 0, grupo.count)
    return
  }
  endBloco(blocos)
  for (let from = 0; from < grupo.count; ) {
    let to = from + 1
    let size = grupo.empresaEnd + sizeOf(grupo, from, to)
    while (to < grupo.count) {
      size += sizeOf(grupo, to, to + 1)
      if (size > limit) break
      to++
    }
    putParte(blocos, scratch, grupo, from, to)
    endBloco(blocos)
    from = to
  }
}

/** Where `findNoBloco` found an establishment: the company's part, and the establishment's own bytes. */
export type Achado = { empresa: number; estabelecimento: number }

/**
 * Looks for a root and an order in the block of `length` bytes at `cursor`, whose first root is `first`; puts what
 * it found in `achado`. With order -1, any establishment of the root will do.
 */
export function findNoBloco(
  cursor: Cursor,
  length: number,
  first: number,
  raiz: number,
  ordem: number,
  achado: Achado,
): boolean {
  const end = cursor.at + length
  let current = first
  while (cursor.at < end) {
    current += getVarint(cursor)
    const size = getVarint(cursor)
    const groupEnd = cursor.at + size
    if (current === raiz) return findNoGrupo(cursor, groupEnd, ordem, achado)
    if (current > raiz) return false
    cursor.at = groupEnd
  }
  return false
}

function findNoGrupo(cursor: Cursor, end: number, ordem: number, achado: Achado): boolean {
  const size = getVarint(cursor)
  achado.empresa = cursor.at
  cursor.at += size
  let current = 0
  while (cursor.at < end) {
    const step = getVarint(cursor)
    const last = step % 2 === 1
    current += (step - (step % 2)) / 2
    const length = last ? end - cursor.at : getVarint(cursor)
    if (current === ordem || ordem === -1) {
      achado.estabelecimento = cursor.at
      return true
    }
    if (last || current > ordem) return false
    cursor.at += length
  }
  return false
}
