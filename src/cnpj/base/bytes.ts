/** Whoever starts a record makes room for all of it: single writes do not check. */
export type Output = { bytes: Uint8Array; at: number }

export type Cursor = { bytes: Buffer; at: number }

/** Bytes [start, end) of a buffer. The object is reused from record to record. */
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

/** Days since 1799-12-31, 0 for none. From 1900 on they take 16 bits; an escape marks the others. */
const DAYS_1800_TO_1900 = 36_524
const ESCAPE = 0xffff
const MONTH_DAYS = [0, 31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
const MIN_YEAR = 1800

const isLeap = (year: number): boolean => (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0

/** 0 when there is no such day from 1800 on. */
export function diasDaData(year: number, month: number, day: number): number {
  if (year < MIN_YEAR || month < 1 || month > 12 || day < 1) return 0
  if (day > (MONTH_DAYS[month] ?? 0) + (month === 2 && isLeap(year) ? 1 : 0)) return 0
  const y = month > 2 ? year : year - 1
  const m = month > 2 ? month - 3 : month + 9
  const days = 365 * y + Math.floor(y / 4) - Math.floor(y / 100) + Math.floor(y / 400)
  return days + Math.floor((153 * m + 2) / 5) + day - 657_377
}

const MS_1800 = Date.UTC(MIN_YEAR, 0, 1)
const known = new Map<number, string>()

/** `YYYY-MM-DD` of a date that `diasDaData` gave; empty for 0. */
export function dataIso(days: number): string {
  if (days === 0) return ''
  const cached = known.get(days)
  if (cached !== undefined) return cached
  const text = new Date(MS_1800 + (days - 1) * 86_400_000).toISOString().slice(0, 10)
  known.set(days, text)
  return text
}

export function putData(out: Output, days: number): void {
  const short = days - DAYS_1800_TO_1900
  if (days === 0) putU16(out, 0)
  else if (short > 0 && short < ESCAPE) putU16(out, short)
  else {
    putU16(out, ESCAPE)
    putUint(out, days, 3)
  }
}

export function getData(cursor: Cursor): number {
  const short = getU16(cursor)
  if (short === 0) return 0
  return short === ESCAPE ? getUint(cursor, 3) : short + DAYS_1800_TO_1900
}

const NUMERIC_RAIZES = 1e8
const NUMERIC_ORDENS = 1e4

/** Roots of digits come first, then those with letters, in base 36. */
export const RAIZ_KEY_LIMIT = NUMERIC_RAIZES + 36 ** 8

function keyOf(bytes: Uint8Array, at: number, length: number, numeric: number): number {
  let decimal = 0
  let base36 = 0
  let letters = false
  for (let i = at; i < at + length; i++) {
    const c = bytes[i] ?? 0
    let value = c - 48
    if (c >= 65 && c <= 90) {
      value = c - 55
      letters = true
    } else if (value < 0 || value > 9) return -1
    decimal = decimal * 10 + value
    base36 = base36 * 36 + value
  }
  return letters ? numeric + base36 : decimal
}

/** The value of 8 digits, or 10^8 plus the value in base 36. -1 when they are not `[0-9A-Z]{8}`. */
export const raizKey = (bytes: Uint8Array, at: number): number => keyOf(bytes, at, 8, NUMERIC_RAIZES)

/** The value of 4 digits, or 10^4 plus the value in base 36. -1 when they are not `[0-9A-Z]{4}`. */
export const ordemKey = (bytes: Uint8Array, at: number): number => keyOf(bytes, at, 4, NUMERIC_ORDENS)

function textOf(key: number, length: number, numeric: number): string {
  const digits = key < numeric ? String(key) : (key - numeric).toString(36).toUpperCase()
  return digits.padStart(length, '0')
}

export const raizOfKey = (key: number): string => textOf(key, 8, NUMERIC_RAIZES)

export const ordemOfKey = (key: number): string => textOf(key, 4, NUMERIC_ORDENS)

const WEIGHTS = [6, 5, 4, 3, 2, 9, 8, 7, 6, 5, 4, 3, 2]

/**
 * Whether the 12 characters at `at` (root and order, side by side) have the check digits at `dv`. Modulus 11
 * over character code - 48, as IN RFB 2.229/2024 says.
 */
export function digitsMatch(bytes: Uint8Array, at: number, dv: number): boolean {
  let first = 0
  let second = 0
  for (let i = 0; i < 12; i++) {
    const value = (bytes[at + i] ?? 0) - 48
    first += value * (WEIGHTS[i + 1] ?? 0)
    second += value * (WEIGHTS[i] ?? 0)
  }
  const rest = first % 11
  const d1 = rest < 2 ? 0 : 11 - rest
  const rest2 = (second + d1 * 2) % 11
  const d2 = rest2 < 2 ? 0 : 11 - rest2
  return bytes[dv] === 48 + d1 && bytes[dv + 1] === 48 + d2
}
