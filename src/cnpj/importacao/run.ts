import { createReadStream, existsSync, readFileSync, statSync } from 'node:fs'
import { crc32 } from 'node:zlib'
import { type Static, Type } from 'typebox'
import { type Output, putUint } from '../base/bytes.ts'
import { parseStored } from '../base/coding.ts'

const Stretch = Type.Object({ at: Type.Number(), bytes: Type.Number() })

export type Stretch = Static<typeof Stretch>

const RunLayout = Type.Object({
  bytes: Type.Number(),
  crc32: Type.Number(),
  fatias: Type.Array(Type.Array(Stretch)),
})

/** For each slice of the roots, its stretches in the order they were written. */
export type RunLayout = Static<typeof RunLayout>

const Counts = Type.Record(Type.String(), Type.Number())

const ZipRun = Type.Object({
  conjunto: Type.Enum(['empresas', 'estabelecimentos', 'socios', 'simples']),
  nome: Type.String(),
  particao: RunLayout,
  contagens: Counts,
  desconhecidos: Counts,
  quarentena: Counts,
  amostra: Type.Array(Type.String()),
})

export type ZipRun = Static<typeof ZipRun>

/** Undefined when the file is shorter or not there. */
export async function crcOf(path: string, bytes: number): Promise<number | undefined> {
  if (!existsSync(path) || statSync(path).size < bytes) return undefined
  let crc = 0
  if (bytes > 0)
    for await (const piece of createReadStream(path, { end: bytes - 1, highWaterMark: 1 << 20 }))
      crc = crc32(piece, crc)
  return crc
}

/** Undefined when it did not finish or the run file is not whole. */
export async function readRun(path: string): Promise<ZipRun | undefined> {
  if (!existsSync(`${path}.json`)) return undefined
  const run = parseStored(ZipRun, readFileSync(`${path}.json`, 'utf8'))
  if (run === undefined) return undefined
  return (await crcOf(path, run.particao.bytes)) === run.particao.crc32 ? run : undefined
}

/** Root (6 bytes), second key (4), length (3), then the bytes of the final file (README.md, "Stages"). */
const HEADER = 13
const LENGTH_AT = 10

/** Gives the place that `endRecord` wants. */
export function startRecord(out: Output, raiz: number, secondKey: number): number {
  const { bytes, at } = out
  const high = Math.floor(raiz / 0x100000000)
  const low = raiz - high * 0x100000000
  bytes[at] = low
  bytes[at + 1] = low >>> 8
  bytes[at + 2] = low >>> 16
  bytes[at + 3] = low >>> 24
  bytes[at + 4] = high
  bytes[at + 5] = high >>> 8
  bytes[at + 6] = secondKey
  bytes[at + 7] = secondKey >>> 8
  bytes[at + 8] = secondKey >>> 16
  bytes[at + 9] = secondKey >>> 24
  out.at = at + HEADER
  return at
}

export function endRecord(out: Output, at: number): void {
  const end = out.at
  out.at = at + LENGTH_AT
  putUint(out, end - at - HEADER, 3)
  out.at = end
}

export type RunRecords = {
  bytes: Buffer
  raizes: Float64Array
  secondKeys: Uint32Array
  starts: Uint32Array
  ends: Uint32Array
  count: number
}

const createRecords = (bytes: Buffer, count: number): RunRecords => ({
  bytes,
  raizes: new Float64Array(count),
  secondKeys: new Uint32Array(count),
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

function countRecords(bytes: Buffer, length: number): number {
  let count = 0
  for (let at = 0; at < length; count++) at += HEADER + (u32(bytes, at + LENGTH_AT) & 0xffffff)
  return count
}

/** Reads the records in bytes[0..length) whose root is in [low, high). */
export function readRecords(bytes: Buffer, length: number, low: number, high: number): RunRecords {
  const r = createRecords(bytes, countRecords(bytes, length))
  for (let at = 0; at < length; ) {
    const raiz = u32(bytes, at) + ((bytes[at + 4] ?? 0) + (bytes[at + 5] ?? 0) * 256) * 0x100000000
    const start = at + HEADER
    const end = start + (u32(bytes, at + LENGTH_AT) & 0xffffff)
    if (raiz >= low && raiz < high) {
      r.raizes[r.count] = raiz
      r.secondKeys[r.count] = u32(bytes, at + 6)
      r.starts[r.count] = start
      r.ends[r.count] = end
      r.count++
    }
    at = end
  }
  return r
}
