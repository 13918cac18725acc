import { diasDaData } from '../base/date.ts'
import type { Span } from '../base/formato-bytes.ts'
import type { CsvLine } from './csv.ts'

/** Sets `span` to a column without the spaces around it. */
export function setSpan(span: Span, line: CsvLine, column: number): void {
  const { bytes } = line
  let start = line.starts[column] ?? 0
  let end = line.ends[column] ?? 0
  while (start < end && (bytes[start] ?? 0) <= 32) start++
  while (end > start && (bytes[end - 1] ?? 0) <= 32) end--
  span.start = start
  span.end = end
}

/** Makes a span blank. */
export function clear(span: Span): void {
  span.end = span.start
}

/** Value of bytes[start..end), 1 to 15 digits; -1 when they are anything else. */
export function digitsValue(bytes: Uint8Array, start: number, end: number): number {
  if (start >= end || end - start > 15) return -1
  let value = 0
  for (let i = start; i < end; i++) {
    const digit = (bytes[i] ?? 0) - 48
    if (digit < 0 || digit > 9) return -1
    value = value * 10 + digit
  }
  return value
}

/**
 * Date of a column AAAAMMDD, as `diasDaData`; 0 for zeros and blanks. Gives -1 for what is no date from 1800
 * to `limite` (years 202 and 4100 were published in 2022 and 2023).
 */
export function dateOf(line: CsvLine, column: number, limite: number): number {
  const start = line.starts[column] ?? 0
  const end = line.ends[column] ?? 0
  const value = digitsValue(line.bytes, start, end)
  if (value === 0) return 0
  if (value < 0) return isBlank(line.bytes, start, end) ? 0 : -1
  if (end - start !== 8) return -1
  const days = diasDaData(Math.floor(value / 10_000), Math.floor(value / 100) % 100, value % 100)
  return days > 0 && days <= limite ? days : -1
}

function isBlank(bytes: Uint8Array, start: number, end: number): boolean {
  for (let i = start; i < end; i++) if ((bytes[i] ?? 0) > 32) return false
  return true
}

/**
 * CEP as a number; 7 digits have lost their leading zero. 0 means none, -1 junk that becomes empty ("0" and
 * letters were published).
 */
export function cepOf(bytes: Uint8Array, span: Span): number {
  if (span.start === span.end) return 0
  const value = digitsValue(bytes, span.start, span.end)
  const length = span.end - span.start
  return value > 0 && (length === 8 || length === 7) ? value : -1
}

/**
 * Gives a code back up to three leading zeros that it lost: they go over the `";"` before the field. A field
 * without quotes has no such room and stays.
 */
export function padZeros(bytes: Uint8Array, span: Span, width: number): void {
  const { start, end } = span
  const missing = width - (end - start)
  if (start === end || missing <= 0 || missing > 3 || digitsValue(bytes, start, end) < 0) return
  if (bytes[start - 1] !== 34 || bytes[start - 2] !== 59 || bytes[start - 3] !== 34) return
  bytes.fill(48, start - missing, start)
  span.start = start - missing
}

/**
 * Brings a capital to `-?digits,dd`, without leading zeros and with two decimals at least. Undefined when it
 * is not a number; the text is never read as a float.
 */
export function cleanCapital(bytes: Uint8Array, span: Span, scratch: Buffer): Uint8Array | undefined {
  if (span.end - span.start > 40) return undefined
  const text = Buffer.from(bytes.buffer, bytes.byteOffset + span.start, span.end - span.start).toString(
    'latin1',
  )
  const parts = /^(-?)0*(\d+)(?:,(\d*))?$/.exec(text)
  if (parts === null) return undefined
  const clean = `${parts[1]}${parts[2]},${(parts[3] ?? '').padEnd(2, '0')}`
  span.start = 0
  span.end = scratch.write(clean, 'latin1')
  return scratch
}

const COMMA = 44

/** Whether a capital already is `digits,dd` without leading zeros, as nearly all are. */
export function isCleanCapital(bytes: Uint8Array, span: Span): boolean {
  const comma = span.end - 3
  if (comma <= span.start || bytes[comma] !== COMMA) return false
  if (digitsValue(bytes, span.start, comma) < 0 || digitsValue(bytes, comma + 1, span.end) < 0) return false
  return bytes[span.start] !== 48 || comma - span.start === 1
}
