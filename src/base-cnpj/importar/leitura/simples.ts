import { type CamposOpcao, putSimples } from '../../formato/empresa.ts'
import { count } from '../counts.ts'
import type { Linha } from '../entradas/csv.ts'
import { dateOf } from './cleaning.ts'
import type { ContextoDeLeitura } from './context.ts'
import { raizDaLinha } from './empresas.ts'
import { endRegistro, startRegistro } from './run-record.ts'
import { fatiaDe } from './slices.ts'

/** Columns of Simples (official layout), counted from 0: option, date of option, date of exclusion; twice. */
const C = { simples: 1, mei: 4 } as const
const SIM = 83
const NAO = 78

function opcaoOf(ctx: ContextoDeLeitura, linha: Linha, column: number, opcao: CamposOpcao): void {
  const letter =
    (linha.ends[column] ?? 0) > (linha.starts[column] ?? 0) ? linha.bytes[linha.starts[column] ?? 0] : 0
  opcao.opcao = letter === SIM ? 1 : letter === NAO ? 2 : 0
  const entrada = dateOf(linha, column + 1, ctx.dataLimite)
  const saida = dateOf(linha, column + 2, ctx.dataLimite)
  if (entrada < 0 || saida < 0) count(ctx.contagens, 'datas_absurdas')
  opcao.entrada = Math.max(entrada, 0)
  opcao.saida = Math.max(saida, 0)
}

/** Writes each row of Simples into the slice of its company's root. */
export function createLinhaSimples(ctx: ContextoDeLeitura): (linha: Linha) => void {
  const simples: CamposOpcao = { opcao: 0, entrada: 0, saida: 0 }
  const mei: CamposOpcao = { opcao: 0, entrada: 0, saida: 0 }
  return (linha) => {
    const raiz = raizDaLinha(ctx, linha)
    if (raiz < 0) return
    opcaoOf(ctx, linha, C.simples, simples)
    opcaoOf(ctx, linha, C.mei, mei)
    const out = ctx.escritor.open(fatiaDe(ctx.fatias, raiz), 64)
    const at = startRegistro(out, raiz, 0)
    putSimples(out, simples, mei)
    endRegistro(out, at)
  }
}
