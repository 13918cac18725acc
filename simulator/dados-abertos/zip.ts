import { open } from 'node:fs/promises'
import { Readable, Transform, Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { crc32, createDeflateRaw } from 'node:zlib'

export type Membro = { nome: string; conteudo: Buffer | Iterable<Buffer> | AsyncIterable<Buffer> }

export type MembroEscrito = { nome: string; crc: number; bytes: number; comprimido: number; inicio: number }

type Opcoes = {
  nivel?: number
  /** ZIP64 records for every member, as the official Estabelecimentos0.zip has; needed from 4 GiB on. */
  zip64?: boolean
  /** The only date in the file, so that equal content gives equal headers; 1980-01-01 by default. */
  data?: { ano: number; mes: number; dia: number }
}

const MAX32 = 0xffffffff
const METHOD_DEFLATE = 8

/** A stream in bounded memory; local headers are patched later. Throws over 4 GiB without `zip64`. */
export async function writeZip(
  arquivo: string,
  membros: Iterable<Membro>,
  opcoes: Opcoes = {},
): Promise<MembroEscrito[]> {
  const zip64 = opcoes.zip64 ?? false
  const file = await open(arquivo, 'w')
  try {
    const written: MembroEscrito[] = []
    let position = 0
    for (const { nome, conteudo } of membros) {
      const inicio = position
      const placeholder = localHeader({ nome, crc: 0, bytes: 0, comprimido: 0, inicio }, opcoes)
      await file.write(placeholder, 0, placeholder.length, inicio)
      position += placeholder.length
      const meter = { crc: 0, bytes: 0 }
      const sink = new Writable({
        write(chunk: Buffer, _encoding, done) {
          const at = position
          position += chunk.length
          file.write(chunk, 0, chunk.length, at).then(() => done(), done)
        },
      })
      const deflate = createDeflateRaw({ level: opcoes.nivel ?? 1, chunkSize: 128 * 1024 })
      await pipeline(Readable.from(pieces(conteudo), { highWaterMark: 2 }), measured(meter), deflate, sink)
      const comprimido = position - inicio - placeholder.length
      const membro = { nome, inicio, comprimido, ...meter }
      if (!zip64 && Math.max(position, membro.bytes) >= MAX32)
        throw new Error(`${nome} passa de 4 GiB: escreva com zip64.`)
      const header = localHeader(membro, opcoes)
      await file.write(header, 0, header.length, inicio)
      written.push(membro)
    }
    const tail = directory(written, position, opcoes)
    await file.write(tail, 0, tail.length, position)
    return written
  } finally {
    await file.close()
  }
}

const pieces = (conteudo: Membro['conteudo']): Iterable<Buffer> | AsyncIterable<Buffer> =>
  Buffer.isBuffer(conteudo) ? [conteudo] : conteudo

const measured = (meter: { crc: number; bytes: number }): Transform =>
  new Transform({
    transform(chunk: Buffer, _encoding, done) {
      meter.crc = crc32(chunk, meter.crc)
      meter.bytes += chunk.length
      done(null, chunk)
    },
  })

const dosDate = ({ ano, mes, dia }: { ano: number; mes: number; dia: number }): number =>
  ((ano - 1980) << 9) | (mes << 5) | dia

function localHeader(membro: MembroEscrito, { zip64 = false, data }: Opcoes): Buffer {
  const nome = Buffer.from(membro.nome, 'latin1')
  const extra = zip64 ? extra64([membro.bytes, membro.comprimido]) : Buffer.alloc(0)
  const header = Buffer.alloc(30)
  header.writeUInt32LE(0x04034b50, 0)
  header.writeUInt16LE(zip64 ? 45 : 20, 4)
  header.writeUInt16LE(METHOD_DEFLATE, 8)
  header.writeUInt16LE(dosDate(data ?? { ano: 1980, mes: 1, dia: 1 }), 12)
  header.writeUInt32LE(membro.crc, 14)
  header.writeUInt32LE(zip64 ? MAX32 : membro.comprimido, 18)
  header.writeUInt32LE(zip64 ? MAX32 : membro.bytes, 22)
  header.writeUInt16LE(nome.length, 26)
  header.writeUInt16LE(extra.length, 28)
  return Buffer.concat([header, nome, extra])
}

function directory(membros: MembroEscrito[], inicio: number, opcoes: Opcoes): Buffer {
  const entries = Buffer.concat(membros.map((membro) => centralHeader(membro, opcoes)))
  const zip64 = opcoes.zip64 ?? false
  const end = Buffer.alloc(22)
  end.writeUInt32LE(0x06054b50, 0)
  end.writeUInt16LE(membros.length, 8)
  end.writeUInt16LE(membros.length, 10)
  end.writeUInt32LE(entries.length, 12)
  end.writeUInt32LE(zip64 ? MAX32 : inicio, 16)
  if (!zip64) return Buffer.concat([entries, end])
  const end64 = Buffer.alloc(76)
  end64.writeUInt32LE(0x06064b50, 0)
  end64.writeBigUInt64LE(44n, 4)
  end64.writeUInt16LE(45, 12)
  end64.writeUInt16LE(45, 14)
  end64.writeBigUInt64LE(BigInt(membros.length), 24)
  end64.writeBigUInt64LE(BigInt(membros.length), 32)
  end64.writeBigUInt64LE(BigInt(entries.length), 40)
  end64.writeBigUInt64LE(BigInt(inicio), 48)
  end64.writeUInt32LE(0x07064b50, 56)
  end64.writeBigUInt64LE(BigInt(inicio + entries.length), 64)
  end64.writeUInt32LE(1, 72)
  return Buffer.concat([entries, end64, end])
}

function centralHeader(membro: MembroEscrito, opcoes: Opcoes): Buffer {
  const zip64 = opcoes.zip64 ?? false
  const nome = Buffer.from(membro.nome, 'latin1')
  const extra = zip64 ? extra64([membro.bytes, membro.comprimido, membro.inicio]) : Buffer.alloc(0)
  const header = Buffer.alloc(46)
  header.writeUInt32LE(0x02014b50, 0)
  header.writeUInt16LE(zip64 ? 45 : 20, 4)
  localHeader(membro, opcoes).copy(header, 6, 4, 30)
  header.writeUInt16LE(extra.length, 30)
  header.writeUInt32LE(zip64 ? MAX32 : membro.inicio, 42)
  return Buffer.concat([header, nome, extra])
}

function extra64(values: number[]): Buffer {
  const extra = Buffer.alloc(4 + values.length * 8)
  extra.writeUInt16LE(0x0001, 0)
  extra.writeUInt16LE(values.length * 8, 2)
  for (const [index, value] of values.entries()) extra.writeBigUInt64LE(BigInt(value), 4 + index * 8)
  return extra
}
