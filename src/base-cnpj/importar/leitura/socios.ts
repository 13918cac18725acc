import { putSocio } from '../../formato/empresa.ts'
import type { Linha } from '../entradas/csv.ts'
import { padZeros, setFaixa } from './cleaning.ts'
import type { ContextoDeLeitura } from './context.ts'
import { raizDaLinha } from './empresas.ts'
import { endRegistro, startRegistro } from './run-record.ts'
import { fatiaDe } from './slices.ts'

/** Columns of Socios (official layout), counted from 0. */
const C = { nome: 2, qualificacao: 4 } as const

/**
 * Hash of the whole line: two partners of one company are the same only when their lines are, since masked CPFs repeat
 * between real partners.
 */
function hashOf(linha: Linha): number {
  const { bytes, start, end } = linha
  let hash = 0x811c9dc5
  for (let i = start; i < end; i++) hash = Math.imul(hash ^ (bytes[i] ?? 0), 0x01000193)
  return hash >>> 0
}

/** Writes each row of Socios into the slice of its company's root. */
export function createLinhaSocio(ctx: ContextoDeLeitura): (linha: Linha) => void {
  const nome = { start: 0, end: 0 }
  const qualificacao = { start: 0, end: 0 }
  return (linha) => {
    const raiz = raizDaLinha(ctx, linha)
    if (raiz < 0) return
    const hash = hashOf(linha)
    nome.start = linha.starts[C.nome] ?? 0
    nome.end = linha.ends[C.nome] ?? 0
    setFaixa(qualificacao, linha, C.qualificacao)
    padZeros(linha.bytes, qualificacao, 2)
    const out = ctx.escritor.open(fatiaDe(ctx.fatias, raiz), 256 + (linha.end - linha.start) * 3)
    const at = startRegistro(out, raiz, hash)
    putSocio(out, ctx.codificacao, linha.bytes, nome, qualificacao)
    endRegistro(out, at)
  }
}
