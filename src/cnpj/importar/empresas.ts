import { raizKey } from '../base/bytes.ts'
import { PORTES } from '../base/codes.ts'
import { type CamposEmpresa, PORTE_FORA, putEmpresa } from '../base/empresa.ts'
import type { ReadContext } from './context.ts'
import { count } from './counts.ts'
import type { CsvLine } from './csv.ts'
import { cleanCapital, clear, digitsValue, isCleanCapital, padZeros, setSpan } from './leitura.ts'
import { endRecord, startRecord } from './run.ts'
import { sliceOf } from './slices.ts'

/** Columns of Empresas (official layout), counted from 0. The root is column 0 of every set. */
const C = { razao: 1, natureza: 2, capital: 4, porte: 5 } as const

/** Key of column 0. When it is no root, gives -1 and puts the line in quarantine. */
export function raizOfLine(ctx: ReadContext, line: CsvLine): number {
  const start = line.starts[0] ?? 0
  const raiz = (line.ends[0] ?? 0) - start === 8 ? raizKey(line.bytes, start) : -1
  if (raiz < 0) ctx.quarentena.put('chave inválida', line)
  return raiz
}

function porteOf(line: CsvLine): number {
  const value = digitsValue(line.bytes, line.starts[C.porte] ?? 0, line.ends[C.porte] ?? 0)
  if (value < 0) return 0
  const place = PORTES.findIndex((one) => one.codigo !== '' && Number(one.codigo) === value)
  return place > 0 ? place : PORTE_FORA + Math.min(value, 255)
}

/** Cleans the rows of Empresas and writes each into the slice of its root. */
export function empresaReader(ctx: ReadContext): (line: CsvLine) => void {
  const scratch = Buffer.alloc(64)
  const row: CamposEmpresa = {
    bytes: scratch,
    razao: { start: 0, end: 0 },
    natureza: { start: 0, end: 0 },
    porte: 0,
    capital: { start: 0, end: 0 },
    capitalBytes: scratch,
  }

  function readCapital(line: CsvLine): void {
    setSpan(row.capital, line, C.capital)
    row.capitalBytes = line.bytes
    if (row.capital.start === row.capital.end || isCleanCapital(line.bytes, row.capital)) return
    if (cleanCapital(line.bytes, row.capital, scratch)) row.capitalBytes = scratch
    else {
      clear(row.capital)
      count(ctx.contagens, 'capitais_invalidos')
    }
  }

  return (line) => {
    const raiz = raizOfLine(ctx, line)
    if (raiz < 0) return
    row.bytes = line.bytes
    row.razao.start = line.starts[C.razao] ?? 0
    row.razao.end = line.ends[C.razao] ?? 0
    setSpan(row.natureza, line, C.natureza)
    padZeros(line.bytes, row.natureza, 4)
    row.porte = porteOf(line)
    readCapital(line)
    const out = ctx.writer.open(sliceOf(ctx.slices, raiz), 256 + (line.end - line.start) * 3)
    const at = startRecord(out, raiz, 0)
    putEmpresa(out, ctx.encoding, row)
    endRecord(out, at)
  }
}
