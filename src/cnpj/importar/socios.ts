import { putSocio } from '../base/empresa.ts'
import type { ReadContext } from './context.ts'
import type { CsvLine } from './csv.ts'
import { raizOfLine } from './empresas.ts'
import { padZeros, setSpan } from './leitura.ts'
import { endRecord, startRecord } from './run.ts'
import { sliceOf } from './slices.ts'

/** Columns of Socios (official layout), counted from 0. */
const C = { nome: 2, qualificacao: 4 } as const

/**
 * Hash of the whole line. Two partners of a company are the same only when their lines are, since masked CPFs
 * repeat between real partners.
 */
function hashOf(line: CsvLine): number {
  const { bytes, start, end } = line
  let hash = 0x811c9dc5
  for (let i = start; i < end; i++) hash = Math.imul(hash ^ (bytes[i] ?? 0), 0x01000193)
  return hash >>> 0
}

/** Writes each row of Socios into the slice of its company's root. */
export function socioReader(ctx: ReadContext): (line: CsvLine) => void {
  const nome = { start: 0, end: 0 }
  const qualificacao = { start: 0, end: 0 }
  return (line) => {
    const raiz = raizOfLine(ctx, line)
    if (raiz < 0) return
    const hash = hashOf(line)
    nome.start = line.starts[C.nome] ?? 0
    nome.end = line.ends[C.nome] ?? 0
    setSpan(qualificacao, line, C.qualificacao)
    padZeros(line.bytes, qualificacao, 2)
    const out = ctx.writer.open(sliceOf(ctx.slices, raiz), 256 + (line.end - line.start) * 3)
    const at = startRecord(out, raiz, hash)
    putSocio(out, ctx.encoding, line.bytes, nome, qualificacao)
    endRecord(out, at)
  }
}
