/** What a zip's central directory says of its only member; sizes in bytes. */
export type ZipMember = { nome: string; crc: number; bytes: number; comprimido: number }

/** Bytes at the end of a zip that hold its whole directory, when it has one member without comments. */
export const TAIL_BYTES = 1024

const END = 0x06054b50
const ENTRY = 0x02014b50
const MAX32 = 0xffffffff

/**
 * The one member of a zip, read from its last bytes, ZIP64 included.
 * @param tail the last bytes of the file, at least its directory.
 * @returns undefined when these bytes do not end a zip of exactly one member.
 */
export function memberFromTail(tail: Buffer): ZipMember | undefined {
  const end = lastIndexOfSignature(tail, END)
  if (end < 0 || end + 22 > tail.length || tail.readUInt16LE(end + 10) !== 1) return undefined
  const at = lastIndexOfSignature(tail.subarray(0, end), ENTRY)
  if (at < 0 || at + 46 > end) return undefined
  const nameEnd = at + 46 + tail.readUInt16LE(at + 28)
  const extraEnd = nameEnd + tail.readUInt16LE(at + 30)
  if (extraEnd > end) return undefined
  const extra = tail.subarray(nameEnd, extraEnd)
  const sizes = widen([tail.readUInt32LE(at + 24), tail.readUInt32LE(at + 20)], extra)
  if (!sizes) return undefined
  const [bytes, comprimido] = sizes
  return {
    nome: tail.toString('latin1', at + 46, nameEnd),
    crc: tail.readUInt32LE(at + 16),
    bytes,
    comprimido,
  }
}

function lastIndexOfSignature(buffer: Buffer, signature: number): number {
  for (let at = buffer.length - 4; at >= 0; at--) if (buffer.readUInt32LE(at) === signature) return at
  return -1
}

/** Replaces each size that is 0xFFFFFFFF by its value in the ZIP64 extra field, in the order of the standard. */
function widen([bytes, comprimido]: [number, number], extra: Buffer): [number, number] | undefined {
  if (bytes !== MAX32 && comprimido !== MAX32) return [bytes, comprimido]
  for (let at = 0; at + 4 <= extra.length; at += 4 + extra.readUInt16LE(at + 2)) {
    if (extra.readUInt16LE(at) !== 1) continue
    const values = extra.subarray(at + 4, at + 4 + extra.readUInt16LE(at + 2))
    const wanted = [bytes, comprimido].filter((size) => size === MAX32).length
    if (values.length < wanted * 8) return undefined
    let next = 0
    const wide = (size: number): number =>
      size === MAX32 ? Number(values.readBigUInt64LE(8 * next++)) : size
    return [wide(bytes), wide(comprimido)]
  }
  return undefined
}
