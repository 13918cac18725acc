import { type FileHandle, open } from 'node:fs/promises'
import { basename } from 'node:path'
import { ImportError } from '../importar/import-error.ts'

/** The only member of a zip: its name, how and where it is stored, and what its content must come to. */
export type Membro = {
  nome: string
  metodo: number
  crc32: number
  comprimido: number
  bytes: number
  /** Offset of the first compressed byte in the zip. */
  inicio: number
}

const FIM_DO_DIRETORIO = 0x06054b50
const LOCALIZADOR_64 = 0x07064b50
const FIM_64 = 0x06064b50
const ENTRADA = 0x02014b50
const LOCAL = 0x04034b50
const EXTRA_64 = 1
const MAX_16 = 0xffff
const MAX_32 = 0xffffffff
const CAUDA = 22 + 0xffff
const DIRETORIO_MAXIMO = 1 << 20
const STORED = 0
const DEFLATE = 8

async function readAt(file: FileHandle, at: number, length: number): Promise<Buffer> {
  const bytes = Buffer.alloc(length)
  const { bytesRead } = await file.read(bytes, 0, length, at)
  return bytes.subarray(0, bytesRead)
}

type Diretorio = { at: number; bytes: number; entradas: number }

async function findDiretorio(file: FileHandle, size: number): Promise<Diretorio | undefined> {
  const tailAt = Math.max(0, size - CAUDA)
  const tail = await readAt(file, tailAt, size - tailAt)
  let end = tail.length - 22
  while (end >= 0 && tail.readUInt32LE(end) !== FIM_DO_DIRETORIO) end--
  if (end < 0) return undefined
  const entradas = tail.readUInt16LE(end + 10)
  const bytes = tail.readUInt32LE(end + 12)
  const at = tail.readUInt32LE(end + 16)
  if (entradas !== MAX_16 && bytes !== MAX_32 && at !== MAX_32) return { at, bytes, entradas }
  if (end < 20 || tail.readUInt32LE(end - 20) !== LOCALIZADOR_64) return undefined
  const end64 = await readAt(file, Number(tail.readBigUInt64LE(end - 12)), 56)
  if (end64.length < 56 || end64.readUInt32LE(0) !== FIM_64) return undefined
  return {
    entradas: Number(end64.readBigUInt64LE(32)),
    bytes: Number(end64.readBigUInt64LE(40)),
    at: Number(end64.readBigUInt64LE(48)),
  }
}

/** Replaces by the ZIP64 extra's 64-bit values those of [bytes, comprimido, local] that do not fit 32 bits. */
function widen(extra: Buffer, values: number[]): number[] {
  for (let at = 0; at + 4 <= extra.length; at += 4 + extra.readUInt16LE(at + 2)) {
    if (extra.readUInt16LE(at) !== EXTRA_64) continue
    let field = at + 4
    return values.map((value) => {
      if (value !== MAX_32) return value
      field += 8
      return Number(extra.readBigUInt64LE(field - 8))
    })
  }
  return values
}

type Entrada = Omit<Membro, 'inicio'> & { local: number; cifrado: boolean }

function parseDiretorio(bytes: Buffer): Entrada[] | undefined {
  const entradas: Entrada[] = []
  for (let at = 0; at < bytes.length; ) {
    if (at + 46 > bytes.length || bytes.readUInt32LE(at) !== ENTRADA) return undefined
    const nameEnd = at + 46 + bytes.readUInt16LE(at + 28)
    const extraEnd = nameEnd + bytes.readUInt16LE(at + 30)
    const [size = 0, comprimido = 0, local = 0] = widen(bytes.subarray(nameEnd, extraEnd), [
      bytes.readUInt32LE(at + 24),
      bytes.readUInt32LE(at + 20),
      bytes.readUInt32LE(at + 42),
    ])
    const nome = bytes.toString('latin1', at + 46, nameEnd)
    const cifrado = (bytes.readUInt16LE(at + 8) & 1) === 1
    const metodo = bytes.readUInt16LE(at + 10)
    entradas.push({
      nome,
      cifrado,
      metodo,
      crc32: bytes.readUInt32LE(at + 16),
      comprimido,
      bytes: size,
      local,
    })
    at = extraEnd + bytes.readUInt16LE(at + 32)
  }
  return entradas
}

async function findMembro(file: FileHandle, size: number, nome: string): Promise<Membro> {
  const truncated = new ImportError(`${nome} está truncado ou não é um zip: baixe-o de novo.`)
  const diretorio = await findDiretorio(file, size)
  if (diretorio === undefined || diretorio.at + diretorio.bytes > size) throw truncated
  if (diretorio.bytes > DIRETORIO_MAXIMO)
    throw new ImportError(`${nome} tem arquivos demais: espera-se um só.`)
  const entradas = parseDiretorio(await readAt(file, diretorio.at, diretorio.bytes))
  if (entradas === undefined) throw truncated
  const [entrada, ...others] = entradas.filter((one) => !one.nome.endsWith('/'))
  if (entrada === undefined || others.length > 0) {
    throw new ImportError(
      `${nome} tem ${others.length + (entrada ? 1 : 0)} arquivos dentro: espera-se um só.`,
    )
  }
  const { local, cifrado, ...membro } = entrada
  if (cifrado || (membro.metodo !== STORED && membro.metodo !== DEFLATE)) {
    throw new ImportError(`${nome} usa cifra ou compressão que não é a dos arquivos oficiais.`)
  }
  const header = await readAt(file, local, 30)
  if (header.length < 30 || header.readUInt32LE(0) !== LOCAL) throw truncated
  const inicio = local + 30 + header.readUInt16LE(26) + header.readUInt16LE(28)
  if (inicio + membro.comprimido > diretorio.at) throw truncated
  return { ...membro, inicio }
}

/**
 * Reads the directory (ZIP64 too) of a zip that must hold one file.
 * @throws ImportError when it is truncated, no zip, holds several files, or is ciphered.
 */
export async function readMembro(path: string): Promise<Membro> {
  const file = await open(path, 'r')
  try {
    return await findMembro(file, (await file.stat()).size, basename(path))
  } finally {
    await file.close()
  }
}
