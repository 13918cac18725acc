import { createReadStream } from 'node:fs'
import { basename } from 'node:path'
import { pipeline } from 'node:stream'
import { crc32, createInflateRaw } from 'node:zlib'
import { codeOf } from '../../platform/wire/fonte.ts'
import type { MembroEmDisco } from '../base/zips.ts'
import { ImportError } from './import-error.ts'

/** Pieces of 1 MiB: the default of 16 KiB halves the speed. */
const PIECE_BYTES = 1 << 20
const READ_BYTES = 1 << 18

function open(path: string, membro: MembroEmDisco): AsyncIterable<Buffer> {
  const end = membro.inicio + membro.comprimido - 1
  const file = createReadStream(path, { start: membro.inicio, end, highWaterMark: READ_BYTES })
  if (membro.metodo === 0) return file
  return pipeline(file, createInflateRaw({ chunkSize: PIECE_BYTES }), () => undefined)
}

/**
 * Inflates a zip's member in pieces of up to 1 MiB. NUL bytes are left in.
 * @throws ImportError when it does not inflate, or at the end when its length or CRC-32 is not what the
 * directory says.
 */
export async function* inflateMembro(path: string, membro: MembroEmDisco): AsyncGenerator<Buffer> {
  if (membro.comprimido === 0) return
  let crc = 0
  let bytes = 0
  try {
    for await (const piece of open(path, membro)) {
      crc = crc32(piece, crc)
      bytes += piece.length
      yield piece
    }
  } catch (error) {
    if (error instanceof Error && codeOf(error).startsWith('Z_')) {
      throw new ImportError(`${basename(path)} está corrompido (${error.message}): baixe-o de novo.`)
    }
    throw error
  }
  if (bytes !== membro.bytes || crc !== membro.crc32) {
    throw new ImportError(
      `${basename(path)} está corrompido (CRC-32 ou tamanho não confere): baixe-o de novo.`,
    )
  }
}
