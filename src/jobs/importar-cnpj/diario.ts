import { existsSync, readFileSync } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { join } from 'node:path'
import { crc32 } from 'node:zlib'
import { ARQUIVOS } from '../../store/cnpj-base/versao.ts'
import type { Trabalho } from './estado.ts'
import type { Gravacao } from './gravacao.ts'

/** A finished task as the journal has it. */
type Linha = {
  bytes: number
  crc32: number
  blocos: number
  indiceCrc32: number
  contagens: Record<string, number>
  repetidos: string[]
  /** Largest root written. */
  ultima: number
}

/** The finished tasks, in order, and the files they grow: the only writer of the second step. */
export type Diario = {
  feitas: Linha[]
  put(gravacao: Gravacao): Promise<void>
  /** The whole index: roots, lengths and first orders of all blocks. */
  indice(): Promise<{ raizes: Float64Array; tamanhos: Uint32Array; ordens: Uint32Array }>
  close(): Promise<void>
}

const POR_BLOCO = 16

function parseLinhas(path: string): Linha[] {
  if (!existsSync(path)) return []
  const lines = readFileSync(path, 'utf8').split('\n').slice(0, -1)
  return lines.map((line): Linha => JSON.parse(line))
}

async function isWritten(file: FileHandle, at: number, bytes: number, crc: number): Promise<boolean> {
  const piece = Buffer.allocUnsafe(bytes)
  const { bytesRead } = await file.read(piece, 0, bytes, at)
  return bytesRead === bytes && crc32(piece) === crc
}

/** How many of the tasks are whole on disk: the rest is done again. */
async function countWhole(linhas: Linha[], dados: FileHandle, indice: FileHandle): Promise<number> {
  let at = 0
  let indiceAt = 0
  for (const [n, linha] of linhas.entries()) {
    const indiceBytes = linha.blocos * POR_BLOCO
    if (!(await isWritten(dados, at, linha.bytes, linha.crc32))) return n
    if (!(await isWritten(indice, indiceAt, indiceBytes, linha.indiceCrc32))) return n
    at += linha.bytes
    indiceAt += indiceBytes
  }
  return linhas.length
}

function indiceBytes(gravacao: Gravacao): Buffer {
  const parts = [gravacao.raizes, gravacao.tamanhos, gravacao.ordens]
  return Buffer.concat(parts.map((part) => Buffer.from(part.buffer, part.byteOffset, part.byteLength)))
}

/** `open` for appending at a place: makes the file when it is not there, and cuts it at `bytes`. */
async function openAt(path: string): Promise<FileHandle> {
  return open(path, existsSync(path) ? 'r+' : 'w+')
}

/** Opens the journal of the work folder, checks what it says against the files, and cuts what is past it. */
export async function openDiario(trabalho: Trabalho): Promise<Diario> {
  const path = join(trabalho.dir, 'gravacoes.ndjson')
  const dados = await openAt(join(trabalho.pronta, ARQUIVOS.dados))
  const indice = await openAt(join(trabalho.dir, 'indice.parcial'))
  const linhas = parseLinhas(path)
  const feitas = linhas.slice(0, await countWhole(linhas, dados, indice))
  let at = feitas.reduce((sum, linha) => sum + linha.bytes, 0)
  let blocos = feitas.reduce((sum, linha) => sum + linha.blocos, 0)
  await dados.truncate(at)
  await indice.truncate(blocos * POR_BLOCO)
  const log = await open(path, 'w')
  await log.write(feitas.map((linha) => `${JSON.stringify(linha)}\n`).join(''))

  async function readIndice(): Promise<{ raizes: Float64Array; tamanhos: Uint32Array; ordens: Uint32Array }> {
    const all = {
      raizes: new Float64Array(blocos),
      tamanhos: new Uint32Array(blocos),
      ordens: new Uint32Array(blocos),
    }
    let from = 0
    for (const { blocos: n } of feitas) {
      const piece = new ArrayBuffer(n * POR_BLOCO)
      await indice.read(Buffer.from(piece), 0, n * POR_BLOCO, from * POR_BLOCO)
      all.raizes.set(new Float64Array(piece, 0, n), from)
      all.tamanhos.set(new Uint32Array(piece, n * 8, n), from)
      all.ordens.set(new Uint32Array(piece, n * 12, n), from)
      from += n
    }
    return all
  }

  return {
    feitas,
    async put(gravacao) {
      const piece = indiceBytes(gravacao)
      await dados.write(gravacao.dados, 0, gravacao.dados.length, at)
      await indice.write(piece, 0, piece.length, blocos * POR_BLOCO)
      const { contagens, repetidos, ultima } = gravacao
      const linha: Linha = {
        bytes: gravacao.dados.length,
        crc32: gravacao.crc32,
        blocos: gravacao.tamanhos.length,
        indiceCrc32: crc32(piece),
        contagens,
        repetidos,
        ultima,
      }
      await log.write(`${JSON.stringify(linha)}\n`)
      feitas.push(linha)
      at += linha.bytes
      blocos += linha.blocos
    },
    indice: readIndice,
    async close() {
      await Promise.all([dados.close(), indice.close(), log.close()])
    },
  }
}
