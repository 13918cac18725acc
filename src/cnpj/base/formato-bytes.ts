/**
 * A buffer being written. The one that starts a record makes room for all of it: single writes do not check.
 */
export type Output = { bytes: Uint8Array; at: number }

/** A buffer being read. */
export type Cursor = { bytes: Buffer; at: number }

/** Bytes [start, end) of a buffer. The same object is used again from record to record. */
export type Span = { start: number; end: number }

export function putU8(out: Output, value: number): void {
  out.bytes[out.at++] = value
}

export function putU16(out: Output, value: number): void {
  out.bytes[out.at++] = value
  out.bytes[out.at++] = value >>> 8
}

export function getU8(cursor: Cursor): number {
  return cursor.bytes[cursor.at++] ?? 0
}

export function getU16(cursor: Cursor): number {
  const low = cursor.bytes[cursor.at++] ?? 0
  return low | ((cursor.bytes[cursor.at++] ?? 0) << 8)
}

/** Little-endian unsigned integer of `size` bytes (6 at most). */
export function putUint(out: Output, value: number, size: number): void {
  let rest = value
  for (let i = 0; i < size; i++) {
    out.bytes[out.at++] = rest
    rest = Math.floor(rest / 256)
  }
}

/** What `putUint` wrote. */
export function getUint(cursor: Cursor, size: number): number {
  let value = 0
  for (let i = size - 1; i >= 0; i--) value = value * 256 + (cursor.bytes[cursor.at + i] ?? 0)
  cursor.at += size
  return value
}

/** Seven bits a byte, low bits first: any integer from 0 to 2^53 - 1. */
export function putVarint(out: Output, value: number): void {
  let rest = value
  while (rest >= 128) {
    out.bytes[out.at++] = (rest % 128) | 128
    rest = Math.floor(rest / 128)
  }
  out.bytes[out.at++] = rest
}

/** What `putVarint` wrote. */
export function getVarint(cursor: Cursor): number {
  const first = cursor.bytes[cursor.at++] ?? 0
  if (first < 128) return first
  let value = first - 128
  let scale = 128
  for (;;) {
    const byte = cursor.bytes[cursor.at++] ?? 0
    if (byte < 128) return value + byte * scale
    value += (byte - 128) * scale
    scale *= 128
  }
}
