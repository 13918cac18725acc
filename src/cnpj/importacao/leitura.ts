import { closeSync, openSync, writeSync } from 'node:fs'
import { crc32 } from 'node:zlib'
import { diasDaData, type Output, type Span } from '../base/bytes.ts'
import { createTableIndex, type Encoding, LARGURA_CODIGO, type Tabela } from '../base/coding.ts'
import { createWordEncoder } from '../base/text.ts'
import type { CsvLine } from './csv.ts'
import type { Setup } from './entradas.ts'
import type { RunLayout } from './run.ts'

/** Without the spaces around it. */
export function setSpan(span: Span, line: CsvLine, column: number): void {
  const { bytes } = line
  let start = line.starts[column] ?? 0
  let end = line.ends[column] ?? 0
  while (start < end && (bytes[start] ?? 0) <= 32) start++
  while (end > start && (bytes[end - 1] ?? 0) <= 32) end--
  span.start = start
  span.end = end
}

export function clear(span: Span): void {
  span.end = span.start
}

/** 1 to 15 digits; -1 when they are anything else. */
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

/** 7 digits have lost their leading zero. 0 means none, -1 junk ("0" and letters were published). */
export function cepOf(bytes: Uint8Array, span: Span): number {
  if (span.start === span.end) return 0
  const value = digitsValue(bytes, span.start, span.end)
  const length = span.end - span.start
  return value > 0 && (length === 8 || length === 7) ? value : -1
}

/** Zeros go over the `";"` before the field. A field without quotes has no such room and stays. */
export function padZeros(bytes: Uint8Array, span: Span, width: number): void {
  const { start, end } = span
  const missing = width - (end - start)
  if (start === end || missing <= 0 || missing > 3 || digitsValue(bytes, start, end) < 0) return
  if (bytes[start - 1] !== 34 || bytes[start - 2] !== 59 || bytes[start - 3] !== 34) return
  bytes.fill(48, start - missing, start)
  span.start = start - missing
}

/** Gives `-?digits,dd`, or undefined when it is no number. The text is never read as a float. */
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

/** `digits,dd` without leading zeros, as nearly all are. */
export function isCleanCapital(bytes: Uint8Array, span: Span): boolean {
  const comma = span.end - 3
  if (comma <= span.start || bytes[comma] !== COMMA) return false
  if (digitsValue(bytes, span.start, comma) < 0 || digitsValue(bytes, comma + 1, span.end) < 0) return false
  return bytes[span.start] !== 48 || comma - span.start === 1
}

/** By name. They cross threads and go to the manifest as they are. */
export type Counts = Record<string, number>

export function count(counts: Counts, name: string, more = 1): void {
  counts[name] = (counts[name] ?? 0) + more
}

export function addCounts(total: Counts, more: Counts): void {
  for (const [name, n] of Object.entries(more)) count(total, name, n)
}

/** Codes that their table lacks are counted one by one, up to this many different ones in a zip. */
const MAX_UNKNOWN_CODES = 1000

/** NDJSON: the zip, the reason, the line itself (latin-1, cut at 4 KiB). */
type Quarentena = { motivos: Counts; put(motivo: string, line: CsvLine): void; text(): string }

const MAX_LINES = 2000
const MAX_BYTES = 4096

/** Counts all lines and keeps the first 2,000. */
function createQuarentena(arquivo: string): Quarentena {
  const lines: string[] = []
  const motivos: Counts = {}
  return {
    motivos,
    put(motivo, line) {
      count(motivos, motivo)
      if (lines.length >= MAX_LINES) return
      const end = Math.min(line.end, line.start + MAX_BYTES)
      const texto = line.bytes.toString('latin1', line.start, end).trimEnd()
      lines.push(JSON.stringify({ arquivo, motivo, linha: texto }))
    },
    text: () => lines.map((line) => `${line}\n`).join(''),
  }
}

/** `count` slices of roots of digits, then as many of roots with letters. */
export type Slices = { count: number; digitsWidth: number; lettersWidth: number }

const NUMERIC_RAIZES = 1e8

export const createSlices = (count: number): Slices => ({
  count,
  digitsWidth: Math.ceil(NUMERIC_RAIZES / count),
  lettersWidth: Math.ceil(36 ** 8 / count),
})

export function sliceOf(slices: Slices, raiz: number): number {
  if (raiz < NUMERIC_RAIZES) return Math.floor(raiz / slices.digitsWidth)
  return slices.count + Math.floor((raiz - NUMERIC_RAIZES) / slices.lettersWidth)
}

/** The smallest key of a slice. */
export function firstOf(slices: Slices, slice: number): number {
  return slice < slices.count
    ? slice * slices.digitsWidth
    : NUMERIC_RAIZES + (slice - slices.count) * slices.lettersWidth
}

const BUFFER_BYTES = 32 * 1024
/** A line has 64 KiB at most, and a code that its table lacks takes three times its length. */
const RECORD_MAX = 4 * 64 * 1024

/** Each slice gathers in memory and is appended to one file a stretch at a time. */
export type SliceWriter = {
  /** Where to write the next record of a slice. It may take `bytes` at most. */
  open(slice: number, bytes: number): Output
  close(): RunLayout
  abort(): void
}

/** Left to the collector, the buffers of three zips would be in memory at once. */
const freeBuffers: Uint8Array[] = []

export function createSliceWriter(path: string, slices: Slices): SliceWriter {
  const fd = openSync(path, 'w')
  const outputs: (Output | undefined)[] = []
  const layout: RunLayout = { bytes: 0, crc32: 0, fatias: Array.from({ length: slices.count * 2 }, () => []) }

  function flush(slice: number, output: Output): void {
    if (output.at === 0) return
    const bytes = output.bytes.subarray(0, output.at)
    for (let done = 0; done < bytes.length; ) done += writeSync(fd, bytes, done)
    layout.fatias[slice]?.push({ at: layout.bytes, bytes: bytes.length })
    layout.bytes += bytes.length
    layout.crc32 = crc32(bytes, layout.crc32)
    output.at = 0
    if (output.bytes.length > BUFFER_BYTES) output.bytes = Buffer.allocUnsafeSlow(BUFFER_BYTES)
  }

  return {
    open(slice, bytes) {
      let output = outputs[slice]
      if (output === undefined) {
        output = { bytes: freeBuffers.pop() ?? Buffer.allocUnsafeSlow(BUFFER_BYTES), at: 0 }
        outputs[slice] = output
      }
      if (output.bytes.length - output.at < bytes) {
        flush(slice, output)
        if (output.bytes.length < bytes) output.bytes = Buffer.allocUnsafeSlow(Math.max(bytes, RECORD_MAX))
      }
      return output
    },
    close() {
      outputs.forEach((output, slice) => {
        if (output === undefined) return
        flush(slice, output)
        freeBuffers.push(output.bytes)
      })
      closeSync(fd)
      return layout
    },
    abort: () => closeSync(fd),
  }
}

export type ReadContext = {
  encoding: Encoding
  slices: Slices
  dataLimite: number
  writer: SliceWriter
  quarentena: Quarentena
  contagens: Counts
  desconhecidos: Counts
}

export function createReadContext(setup: Setup, arquivo: string, writer: SliceWriter): ReadContext {
  const desconhecidos: Counts = {}
  const indexOf = (nome: keyof typeof LARGURA_CODIGO, tabela: Tabela) =>
    createTableIndex(tabela, LARGURA_CODIGO[nome], (codigo) => {
      const name = `${nome} ${codigo.slice(0, 40)}`
      if (desconhecidos[name] !== undefined || Object.keys(desconhecidos).length < MAX_UNKNOWN_CODES) {
        count(desconhecidos, name)
      } else count(desconhecidos, `${nome} (outros)`)
    })
  const { dominios } = setup
  return {
    encoding: {
      palavras: createWordEncoder(setup.palavras),
      cnaes: indexOf('cnaes', dominios.cnaes),
      municipios: indexOf('municipios', dominios.municipios),
      naturezas: indexOf('naturezas', dominios.naturezas),
      qualificacoes: indexOf('qualificacoes', dominios.qualificacoes),
      motivos: indexOf('motivos', dominios.motivos),
      ufs: dominios.municipios.ufs,
    },
    slices: createSlices(setup.fatias),
    dataLimite: setup.dataLimite,
    writer,
    quarentena: createQuarentena(arquivo),
    contagens: {},
    desconhecidos,
  }
}
