import { closeSync, openSync, readSync } from 'node:fs'
import { crc32 } from 'node:zlib'
import { createBlocks, endBlock } from '../base/block.ts'
import type { Conjunto } from '../base/conjuntos.ts'
import { mergeSets, type SortedRecords, sortRecords } from './merge.ts'
import type { MergeTask, RunPart } from './plan.ts'
import { readRecords } from './run.ts'

/** A stretch of the final file: its blocks, their index, counts, and the keys whose rows differed. */
export type MergedStretch = {
  dados: Uint8Array
  crc32: number
  raizes: Float64Array
  lengths: Uint32Array
  ordens: Uint32Array
  contagens: Record<string, number>
  repetidos: string[]
  /** Key of the largest root written; 0 when there was none. */
  ultima: number
}

/** One buffer for each set, kept from task to task. */
const buffers = new Map<Conjunto, Buffer>()

function roomFor(conjunto: Conjunto, bytes: number): Buffer {
  const known = buffers.get(conjunto)
  if (known !== undefined && known.length >= bytes) return known
  const larger = Buffer.allocUnsafeSlow(Math.ceil(bytes * 1.25))
  buffers.set(conjunto, larger)
  return larger
}

const bytesOf = (parts: RunPart[]): number =>
  parts.flatMap((part) => part.stretches).reduce((sum, stretch) => sum + stretch.bytes, 0)

function readPart(part: RunPart, buffer: Buffer, at: number): number {
  const fd = openSync(part.path, 'r')
  try {
    let end = at
    for (const stretch of part.stretches) {
      const read = readSync(fd, buffer, end, stretch.bytes, stretch.at)
      if (read !== stretch.bytes) throw new Error(`${part.path}: leitura incompleta`)
      end += read
    }
    return end
  } finally {
    closeSync(fd)
  }
}

function readSorted(task: MergeTask, conjunto: Conjunto): SortedRecords {
  const parts = task.parts.filter((part) => part.conjunto === conjunto)
  const buffer = roomFor(conjunto, bytesOf(parts))
  let end = 0
  for (const part of parts) end = readPart(part, buffer, end)
  return sortRecords(readRecords(buffer, end, task.low, task.high))
}

/** Reads a stretch of roots back from the run files, sorts it, merges it, and makes its blocks. */
export function mergeStretch(task: MergeTask): MergedStretch {
  const blocks = createBlocks(bytesOf(task.parts) + 4096)
  const merged = mergeSets(
    {
      empresas: readSorted(task, 'empresas'),
      estabelecimentos: readSorted(task, 'estabelecimentos'),
      socios: readSorted(task, 'socios'),
      simples: readSorted(task, 'simples'),
    },
    blocks,
  )
  endBlock(blocks)
  const dados = blocks.out.bytes.subarray(0, blocks.out.at)
  return {
    dados,
    crc32: crc32(dados),
    raizes: Float64Array.from(blocks.raizes),
    lengths: Uint32Array.from(blocks.lengths),
    ordens: Uint32Array.from(blocks.ordens),
    ...merged,
    ultima: blocks.last,
  }
}
