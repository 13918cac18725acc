import { closeSync, openSync, writeSync } from 'node:fs'
import { crc32 } from 'node:zlib'
import type { Output } from '../base/formato-bytes.ts'
import type { RunLayout } from './leitura-run.ts'
import type { Slices } from './slices.ts'

const BUFFER_BYTES = 32 * 1024
/**
 * More than one record can take: a line has 64 KiB at most, and a code that its table lacks takes three times
 * its length.
 */
const RECORD_MAX = 4 * 64 * 1024

/**
 * Writes records into their slices. Each slice gathers in memory and is appended to one file a stretch at a
 * time.
 */
export type SliceWriter = {
  /** Where to write the next record of a slice. It may take `bytes` at most. */
  open(slice: number, bytes: number): Output
  close(): RunLayout
  abort(): void
}

/**
 * Buffers of slices, used again from zip to zip. Left to the collector, those of three zips would be in
 * memory at once.
 */
const freeBuffers: Uint8Array[] = []

/** Opens a run file at `path` for writing. */
export function createSliceWriter(path: string, slices: Slices): SliceWriter {
  const fd = openSync(path, 'w')
  const outputs: (Output | undefined)[] = []
  const layout: RunLayout = {
    bytes: 0,
    crc32: 0,
    fatias: Array.from({ length: slices.count * 2 }, () => []),
  }

  function flush(slice: number, output: Output): void {
    if (output.at === 0) return
    const bytes = output.bytes.subarray(0, output.at)
    for (let done = 0; done < bytes.length; ) done += writeSync(fd, bytes, done)
    layout.fatias[slice]?.push({ at: layout.bytes, bytes: bytes.length })
    layout.bytes += bytes.length
    layout.crc32 = crc32(bytes, layout.crc32)
    output.at = 0
    if (output.bytes.length > BUFFER_BYTES) output.bytes = Buffer.allocUnsafeSlow(BUFFER_BYTES)
  }

  return {
    open(slice, bytes) {
      let output = outputs[slice]
      if (output === undefined) {
        output = { bytes: freeBuffers.pop() ?? Buffer.allocUnsafeSlow(BUFFER_BYTES), at: 0 }
        outputs[slice] = output
      }
      if (output.bytes.length - output.at < bytes) {
        flush(slice, output)
        if (output.bytes.length < bytes) output.bytes = Buffer.allocUnsafeSlow(Math.max(bytes, RECORD_MAX))
      }
      return output
    },
    close() {
      outputs.forEach((output, slice) => {
        if (output === undefined) return
        flush(slice, output)
        freeBuffers.push(output.bytes)
      })
      closeSync(fd)
      return layout
    },
    abort: () => closeSync(fd),
  }
}
