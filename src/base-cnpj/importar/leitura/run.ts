import { createReadStream, existsSync, readFileSync, statSync } from 'node:fs'
import { crc32 } from 'node:zlib'
import { type Static, Type } from 'typebox'
import { parseJson } from '../../formato/json.ts'

const Trecho = Type.Object({ at: Type.Number(), bytes: Type.Number() })

/** A stretch of a run file: where it starts and its length. */
export type Trecho = Static<typeof Trecho>

const Particao = Type.Object({
  bytes: Type.Number(),
  crc32: Type.Number(),
  fatias: Type.Array(Type.Array(Trecho)),
})

/** What a run file holds: for each slice of the roots, its stretches in the order they were written. */
export type Particao = Static<typeof Particao>

const Contagens = Type.Record(Type.String(), Type.Number())

const Leitura = Type.Object({
  conjunto: Type.Enum(['empresas', 'estabelecimentos', 'socios', 'simples']),
  nome: Type.String(),
  particao: Particao,
  contagens: Contagens,
  desconhecidos: Contagens,
  quarentena: Contagens,
  amostra: Type.Array(Type.String()),
})

/** What a zip came to: its run file's contents, and what was met on the way. */
export type Leitura = Static<typeof Leitura>

/** CRC-32 of the first `bytes` of a file; undefined when it is shorter or not there. */
export async function crcOf(path: string, bytes: number): Promise<number | undefined> {
  if (!existsSync(path) || statSync(path).size < bytes) return undefined
  let crc = 0
  if (bytes > 0)
    for await (const piece of createReadStream(path, { end: bytes - 1, highWaterMark: 1 << 20 }))
      crc = crc32(piece, crc)
  return crc
}

/** The finished reading of a zip by an earlier try, its run file checked; undefined when there is none. */
export async function readLeitura(saida: string): Promise<Leitura | undefined> {
  if (!existsSync(`${saida}.json`)) return undefined
  const leitura = parseJson(Leitura, readFileSync(`${saida}.json`, 'utf8'))
  if (leitura === undefined) return undefined
  return (await crcOf(saida, leitura.particao.bytes)) === leitura.particao.crc32 ? leitura : undefined
}
