import { createReadStream, existsSync, readFileSync, statSync } from 'node:fs'
import { crc32 } from 'node:zlib'
import { type Static, Type } from 'typebox'
import { parseStored } from '../base/stored.ts'

const Stretch = Type.Object({ at: Type.Number(), bytes: Type.Number() })

/** A stretch of a run file: where it starts and its length. */
export type Stretch = Static<typeof Stretch>

const RunLayout = Type.Object({
  bytes: Type.Number(),
  crc32: Type.Number(),
  fatias: Type.Array(Type.Array(Stretch)),
})

/**
 * Where things are in a run file: for each slice of the roots, its stretches in the order they were written.
 */
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

/** What the reading of a zip gave: what its run file holds, and what was met on the way. */
export type ZipRun = Static<typeof ZipRun>

/** CRC-32 of the first `bytes` of a file; undefined when it is shorter or not there. */
export async function crcOf(path: string, bytes: number): Promise<number | undefined> {
  if (!existsSync(path) || statSync(path).size < bytes) return undefined
  let crc = 0
  if (bytes > 0)
    for await (const piece of createReadStream(path, { end: bytes - 1, highWaterMark: 1 << 20 }))
      crc = crc32(piece, crc)
  return crc
}

/** What an earlier try read of a zip; undefined when it did not finish or the run file is not whole. */
export async function readRun(path: string): Promise<ZipRun | undefined> {
  if (!existsSync(`${path}.json`)) return undefined
  const run = parseStored(ZipRun, readFileSync(`${path}.json`, 'utf8'))
  if (run === undefined) return undefined
  return (await crcOf(path, run.particao.bytes)) === run.particao.crc32 ? run : undefined
}
