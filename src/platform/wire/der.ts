/** DER, or the BER that some programs write: indefinite lengths, strings in pieces. */
export type Der = { tag: number; corpo: Buffer; inteiro: Buffer; filhos: readonly Der[] }

const MAX_DEPTH = 32
const CONSTRUCTED = 0x20
const INDEFINITE = 0x80

export const SEQUENCE = 0x30
const INTEGER = 0x02
export const OCTETS = 0x04
export const OID = 0x06

/** Ignores the bytes after it. Throws Error if the data is not DER or BER. */
export const readDer = (data: Buffer): Der => readAt(data, 0).der

type Lido = { der: Der; fim: number }

function readAt(data: Buffer, inicio: number, depth = 0): Lido {
  const tag = data.readUInt8(inicio)
  const length = data.readUInt8(inicio + 1)
  if (depth > MAX_DEPTH) throw new Error('DER: nested too deep')
  if ((tag & 0x1f) === 0x1f) throw new Error('DER: long tags are not used here')
  if (length === INDEFINITE) return readIndefinite(data, inicio, tag, depth)
  const size = length < INDEFINITE ? 0 : length & 0x7f
  if (size > 4) throw new Error('DER: length out of reason')
  const start = inicio + 2 + size
  const fim = start + (size === 0 ? length : data.readUIntBE(inicio + 2, size))
  if (fim > data.length) throw new Error('DER: the data ends early')
  const corpo = data.subarray(start, fim)
  const filhos = (tag & CONSTRUCTED) === 0 ? [] : readAll(corpo, depth + 1)
  return { der: { tag, corpo, inteiro: data.subarray(inicio, fim), filhos }, fim }
}

function readAll(data: Buffer, depth: number): Der[] {
  const all: Der[] = []
  for (let at = 0; at < data.length; ) {
    const { der, fim } = readAt(data, at, depth)
    all.push(der)
    at = fim
  }
  return all
}

/** The content ends with two zero octets in the place of an element. */
function readIndefinite(data: Buffer, inicio: number, tag: number, depth: number): Lido {
  if ((tag & CONSTRUCTED) === 0) throw new Error('DER: a primitive element needs a length')
  const filhos: Der[] = []
  let at = inicio + 2
  while (data.readUInt16BE(at) !== 0) {
    const { der, fim } = readAt(data, at, depth + 1)
    filhos.push(der)
    at = fim
  }
  const corpo = data.subarray(inicio + 2, at)
  return { der: { tag, corpo, inteiro: data.subarray(inicio, at + 2), filhos }, fim: at + 2 }
}

/** Gives the child at a position. Throws Error if it is not there, or has another tag than the given one. */
export function childAt({ filhos }: Der, index: number, tag?: number): Der {
  const child = filhos[index]
  if (child === undefined || (tag !== undefined && child.tag !== tag)) {
    throw new Error(`DER: element ${index} is not there`)
  }
  return child
}

export const octetsOf = ({ tag, corpo, filhos }: Der): Buffer =>
  (tag & CONSTRUCTED) === 0 ? corpo : Buffer.concat(filhos.map(octetsOf))

/** Reads a non-negative integer. Infinity if it does not fit 48 bits; throws Error for any other element. */
export function integerOf({ tag, corpo }: Der): number {
  if (tag !== INTEGER || corpo.length === 0 || corpo.readInt8(0) < 0) throw new Error('DER: not a count')
  return corpo.length > 6 ? Number.POSITIVE_INFINITY : corpo.readUIntBE(0, corpo.length)
}

export function oidOf({ tag, corpo }: Der): string {
  if (tag !== OID || corpo.length === 0) throw new Error('DER: not an object identifier')
  const first = corpo.readUInt8(0)
  const arcs = [Math.min(Math.floor(first / 40), 2), first - 40 * Math.min(Math.floor(first / 40), 2)]
  let arc = 0
  for (const byte of corpo.subarray(1)) {
    arc = arc * 128 + (byte & 0x7f)
    if (byte < 0x80) {
      arcs.push(arc)
      arc = 0
    }
  }
  return arcs.join('.')
}

const decoders: Record<number, (corpo: Buffer) => string> = {
  // UTF8String; OCTET STRING and the one-byte strings (Printable, T61, IA5) fall to Latin-1 below.
  12: (corpo) => corpo.toString('utf8'),
  30: (corpo) =>
    Buffer.from(corpo.subarray(0, corpo.length & ~1))
      .swap16()
      .toString('utf16le'),
}

export function textOf(der: Der): string {
  const decode = decoders[der.tag & 0x1f]
  return decode ? decode(octetsOf(der)) : octetsOf(der).toString('latin1')
}
