import { closeSync, openSync, writeSync } from 'node:fs'
import { crc32 } from 'node:zlib'
import type { Saida } from '../../formato/bytes.ts'
import type { Particao } from './run.ts'
import type { Fatias } from './slices.ts'

const PEDACO = 32 * 1024
/** More than any one record takes: 64 KiB of line, codes that the tables lack taking up to three times theirs. */
const REGISTRO = 4 * 64 * 1024

/** Writes records into their slices, each gathered in memory and appended to one file a stretch at a time. */
export type EscritorDeFatias = {
  /** Where to write the next record of a slice, which may take `bytes` at most. */
  open(fatia: number, bytes: number): Saida
  close(): Particao
  abort(): void
}

/** Buffers of slices, used again from zip to zip: left to the collector, those of three zips would be in memory. */
const livres: Uint8Array[] = []

/** Opens a run file at `path` for writing. */
export function createEscritor(path: string, fatias: Fatias): EscritorDeFatias {
  const fd = openSync(path, 'w')
  const saidas: (Saida | undefined)[] = []
  const particao: Particao = {
    bytes: 0,
    crc32: 0,
    fatias: Array.from({ length: fatias.count * 2 }, () => []),
  }

  function flush(fatia: number, saida: Saida): void {
    if (saida.at === 0) return
    const bytes = saida.bytes.subarray(0, saida.at)
    for (let done = 0; done < bytes.length; ) done += writeSync(fd, bytes, done)
    particao.fatias[fatia]?.push({ at: particao.bytes, bytes: bytes.length })
    particao.bytes += bytes.length
    particao.crc32 = crc32(bytes, particao.crc32)
    saida.at = 0
    if (saida.bytes.length > PEDACO) saida.bytes = Buffer.allocUnsafeSlow(PEDACO)
  }

  return {
    open(fatia, bytes) {
      let saida = saidas[fatia]
      if (saida === undefined) {
        saida = { bytes: livres.pop() ?? Buffer.allocUnsafeSlow(PEDACO), at: 0 }
        saidas[fatia] = saida
      }
      if (saida.bytes.length - saida.at < bytes) {
        flush(fatia, saida)
        if (saida.bytes.length < bytes) saida.bytes = Buffer.allocUnsafeSlow(Math.max(bytes, REGISTRO))
      }
      return saida
    },
    close() {
      saidas.forEach((saida, fatia) => {
        if (saida === undefined) return
        flush(fatia, saida)
        livres.push(saida.bytes)
      })
      closeSync(fd)
      return particao
    },
    abort: () => closeSync(fd),
  }
}
