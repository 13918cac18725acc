import { putUint, type Saida } from '../../formato/bytes.ts'

/**
 * Records of a run file: root (6 bytes), a second key (establishments: the order; partners: a hash of the whole line;
 * otherwise 0; 4 bytes), length (3), then the bytes that the final file will hold.
 */
const CABECALHO = 13
const COMPRIMENTO_EM = 10

/** Starts a record; gives where, for `endRegistro`. */
export function startRegistro(out: Saida, raiz: number, segunda: number): number {
  const { bytes, at } = out
  const high = Math.floor(raiz / 0x100000000)
  const low = raiz - high * 0x100000000
  bytes[at] = low
  bytes[at + 1] = low >>> 8
  bytes[at + 2] = low >>> 16
  bytes[at + 3] = low >>> 24
  bytes[at + 4] = high
  bytes[at + 5] = high >>> 8
  bytes[at + 6] = segunda
  bytes[at + 7] = segunda >>> 8
  bytes[at + 8] = segunda >>> 16
  bytes[at + 9] = segunda >>> 24
  out.at = at + CABECALHO
  return at
}

/** Closes the record that started at `at`. */
export function endRegistro(out: Saida, at: number): void {
  const end = out.at
  out.at = at + COMPRIMENTO_EM
  putUint(out, end - at - CABECALHO, 3)
  out.at = end
}

/** Records of one set, read back into columns. */
export type Registros = {
  bytes: Buffer
  raizes: Float64Array
  segundas: Uint32Array
  starts: Uint32Array
  ends: Uint32Array
  count: number
}

/** No records, with room for `count`. */
const createRegistros = (bytes: Buffer, count: number): Registros => ({
  bytes,
  raizes: new Float64Array(count),
  segundas: new Uint32Array(count),
  starts: new Uint32Array(count),
  ends: new Uint32Array(count),
  count: 0,
})

function u32(bytes: Buffer, at: number): number {
  return (
    ((bytes[at] ?? 0) |
      ((bytes[at + 1] ?? 0) << 8) |
      ((bytes[at + 2] ?? 0) << 16) |
      ((bytes[at + 3] ?? 0) << 24)) >>>
    0
  )
}

function countRegistros(bytes: Buffer, length: number): number {
  let count = 0
  for (let at = 0; at < length; count++) at += CABECALHO + (u32(bytes, at + COMPRIMENTO_EM) & 0xffffff)
  return count
}

/** Reads the records in bytes[0..length) whose root is in [low, high). */
export function readRegistros(bytes: Buffer, length: number, low: number, high: number): Registros {
  const r = createRegistros(bytes, countRegistros(bytes, length))
  for (let at = 0; at < length; ) {
    const raiz = u32(bytes, at) + ((bytes[at + 4] ?? 0) + (bytes[at + 5] ?? 0) * 256) * 0x100000000
    const start = at + CABECALHO
    const end = start + (u32(bytes, at + COMPRIMENTO_EM) & 0xffffff)
    if (raiz >= low && raiz < high) {
      r.raizes[r.count] = raiz
      r.segundas[r.count] = u32(bytes, at + 6)
      r.starts[r.count] = start
      r.ends[r.count] = end
      r.count++
    }
    at = end
  }
  return r
}
