import { existsSync, readFileSync } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { join } from 'node:path'
import { crc32 } from 'node:zlib'
import { type Static, Type } from 'typebox'
import { parseJson } from '../../formato/json.ts'
import { ARQUIVOS } from '../../versoes/versao.ts'
import type { Trabalho } from '../work-folder.ts'
import type { Gravacao } from './merge-stretch.ts'

const Linha = Type.Object({
  bytes: Type.Number(),
  crc32: Type.Number(),
  blocos: Type.Number(),
  indiceCrc32: Type.Number(),
  contagens: Type.Record(Type.String(), Type.Number()),
  repetidos: Type.Array(Type.String()),
  /** Largest root written. */
  ultima: Type.Number(),
})

/** A finished task as the journal has it. */
type Linha = Static<typeof Linha>

type Indice = { raizes: Float64Array; tamanhos: Uint32Array; ordens: Uint32Array }

/** The finished tasks, in order, and the files they grow: the only writer of the second step. */
export type Diario = {
  feitas: Linha[]
  put(gravacao: Gravacao): Promise<void>
  /** The whole index: roots, lengths and first orders of all blocks. */
  indice(): Promise<Indice>
  close(): Promise<void>
}

const POR_BLOCO = 16

/** The lines of the journal up to the first that is not whole. */
function readLinhas(path: string): Linha[] {
  if (!existsSync(path)) return []
  const linhas: Linha[] = []
  for (const line of readFileSync(path, 'utf8').split('\n').slice(0, -1)) {
    const linha = parseJson(Linha, line)
    if (linha === undefined) break
    linhas.push(linha)
  }
  return linhas
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

/** Opens a file without cutting it, making it when it is not there. */
async function openAt(path: string): Promise<FileHandle> {
  return open(path, existsSync(path) ? 'r+' : 'w+')
}

/** The three files of the second step, open for appending at a place. */
type Arquivos = { dados: FileHandle; indice: FileHandle; log: FileHandle }

async function writeAt(file: FileHandle, bytes: Uint8Array, at: number): Promise<void> {
  for (let done = 0; done < bytes.length; ) {
    const { bytesWritten } = await file.write(bytes, done, bytes.length - done, at + done)
    done += bytesWritten
  }
}

const sumOf = (linhas: Linha[], pick: (linha: Linha) => number): number =>
  linhas.reduce((sum, linha) => sum + pick(linha), 0)

/** Opens the files and cuts them where the last whole task ends. */
async function openArquivos(trabalho: Trabalho): Promise<{ arquivos: Arquivos; feitas: Linha[] }> {
  const path = join(trabalho.dir, 'gravacoes.ndjson')
  const dados = await openAt(join(trabalho.pronta, ARQUIVOS.dados))
  const indice = await openAt(join(trabalho.dir, 'indice.parcial'))
  const linhas = readLinhas(path)
  const feitas = linhas.slice(0, await countWhole(linhas, dados, indice))
  await dados.truncate(sumOf(feitas, (linha) => linha.bytes))
  await indice.truncate(sumOf(feitas, (linha) => linha.blocos) * POR_BLOCO)
  const log = await open(path, 'w')
  await log.write(feitas.map((linha) => `${JSON.stringify(linha)}\n`).join(''))
  return { arquivos: { dados, indice, log }, feitas }
}

async function readIndice(indice: FileHandle, feitas: Linha[]): Promise<Indice> {
  const blocos = sumOf(feitas, (linha) => linha.blocos)
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

/** Opens the journal of the work folder, checks what it says against the files, and cuts what is past it. */
export async function openDiario(trabalho: Trabalho): Promise<Diario> {
  const { arquivos, feitas } = await openArquivos(trabalho)
  const { dados, indice, log } = arquivos
  let at = sumOf(feitas, (linha) => linha.bytes)
  let indiceAt = sumOf(feitas, (linha) => linha.blocos) * POR_BLOCO
  return {
    feitas,
    async put(gravacao) {
      const piece = indiceBytes(gravacao)
      await writeAt(dados, gravacao.dados, at)
      await writeAt(indice, piece, indiceAt)
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
      indiceAt += piece.length
    },
    indice: () => readIndice(indice, feitas),
    async close() {
      await Promise.all([dados.close(), indice.close(), log.close()])
    },
  }
}
