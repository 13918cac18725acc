import { readFileSync } from 'node:fs'
import { crc32, inflateRawSync } from 'node:zlib'

/**
 * Gives the members of a small zip, whole in memory. Checks CRC-32, sizes, and that local and central names
 * agree.
 */
export function unzip(arquivo: string | URL): { nome: string; conteudo: Buffer }[] {
  const zip = readFileSync(arquivo)
  const end = zip.lastIndexOf(Buffer.from('PK\x05\x06', 'latin1'))
  if (end < 0) throw new Error(`${arquivo}: no end of central directory`)
  const zip64 = zip.lastIndexOf(Buffer.from('PK\x06\x06', 'latin1'))
  let at = zip64 < 0 ? zip.readUInt32LE(end + 16) : Number(zip.readBigUInt64LE(zip64 + 48))
  return Array.from({ length: zip.readUInt16LE(end + 10) }, () => {
    const nameLength = zip.readUInt16LE(at + 28)
    const extraLength = zip.readUInt16LE(at + 30)
    const nome = zip.toString('latin1', at + 46, at + 46 + nameLength)
    const extra = zip.subarray(at + 46 + nameLength, at + 46 + nameLength + extraLength)
    const wide = extra.length > 0
    const size = wide ? Number(extra.readBigUInt64LE(4)) : zip.readUInt32LE(at + 24)
    const packed = wide ? Number(extra.readBigUInt64LE(12)) : zip.readUInt32LE(at + 20)
    const local = wide ? Number(extra.readBigUInt64LE(20)) : zip.readUInt32LE(at + 42)
    const data = local + 30 + zip.readUInt16LE(local + 26) + zip.readUInt16LE(local + 28)
    const conteudo = inflateRawSync(zip.subarray(data, data + packed))
    const same = zip.toString('latin1', local + 30, local + 30 + nameLength) === nome
    if (!same || conteudo.length !== size || crc32(conteudo) !== zip.readUInt32LE(at + 16))
      throw new Error(`${arquivo}: ${nome} is corrupt`)
    at += 46 + nameLength + extraLength
    return { nome, conteudo }
  })
}
