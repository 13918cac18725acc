import { type CamposOpcao, putSimples } from '../base/empresa.ts'
import type { ReadContext } from './context.ts'
import { count } from './counts.ts'
import type { CsvLine } from './csv.ts'
import { raizOfLine } from './empresas.ts'
import { dateOf } from './leitura.ts'
import { endRecord, startRecord } from './run.ts'
import { sliceOf } from './slices.ts'

/**
 * Columns of Simples (official layout), counted from 0. The three are option, date of option and date of
 * exclusion.
 */
const C = { simples: 1, mei: 4 } as const
const SIM = 83
const NAO = 78

function opcaoOf(ctx: ReadContext, line: CsvLine, column: number, opcao: CamposOpcao): void {
  const letter =
    (line.ends[column] ?? 0) > (line.starts[column] ?? 0) ? line.bytes[line.starts[column] ?? 0] : 0
  opcao.opcao = letter === SIM ? 1 : letter === NAO ? 2 : 0
  const entrada = dateOf(line, column + 1, ctx.dataLimite)
  const saida = dateOf(line, column + 2, ctx.dataLimite)
  if (entrada < 0 || saida < 0) count(ctx.contagens, 'datas_absurdas')
  opcao.entrada = Math.max(entrada, 0)
  opcao.saida = Math.max(saida, 0)
}

/** Writes each row of Simples into the slice of its company's root. */
export function simplesReader(ctx: ReadContext): (line: CsvLine) => void {
  const simples: CamposOpcao = { opcao: 0, entrada: 0, saida: 0 }
  const mei: CamposOpcao = { opcao: 0, entrada: 0, saida: 0 }
  return (line) => {
    const raiz = raizOfLine(ctx, line)
    if (raiz < 0) return
    opcaoOf(ctx, line, C.simples, simples)
    opcaoOf(ctx, line, C.mei, mei)
    const out = ctx.writer.open(sliceOf(ctx.slices, raiz), 64)
    const at = startRecord(out, raiz, 0)
    putSimples(out, simples, mei)
    endRecord(out, at)
  }
}
