import { PORTES } from '../../formato/codes.ts'
import { type CamposEmpresa, PORTE_FORA, putEmpresa } from '../../formato/empresa.ts'
import { chaveRaiz } from '../../formato/key.ts'
import { count } from '../counts.ts'
import type { Linha } from '../entradas/csv.ts'
import { cleanCapital, clear, digitsValue, isCapitalLimpo, padZeros, setFaixa } from './cleaning.ts'
import type { ContextoDeLeitura } from './context.ts'
import { endRegistro, startRegistro } from './run-record.ts'
import { fatiaDe } from './slices.ts'

/** Columns of Empresas (official layout), counted from 0; the root is column 0 of every set. */
const C = { razao: 1, natureza: 2, capital: 4, porte: 5 } as const

/** Key of column 0, or -1, the line going to quarantine, when it is no root. */
export function raizDaLinha(ctx: ContextoDeLeitura, linha: Linha): number {
  const start = linha.starts[0] ?? 0
  const raiz = (linha.ends[0] ?? 0) - start === 8 ? chaveRaiz(linha.bytes, start) : -1
  if (raiz < 0) ctx.quarentena.put('chave inválida', linha)
  return raiz
}

function porteOf(linha: Linha): number {
  const value = digitsValue(linha.bytes, linha.starts[C.porte] ?? 0, linha.ends[C.porte] ?? 0)
  if (value < 0) return 0
  const place = PORTES.findIndex((one) => one.codigo !== '' && Number(one.codigo) === value)
  return place > 0 ? place : PORTE_FORA + Math.min(value, 255)
}

/** Cleans the rows of Empresas and writes each into the slice of its root. */
export function createLinhaEmpresa(ctx: ContextoDeLeitura): (linha: Linha) => void {
  const scratch = Buffer.alloc(64)
  const row: CamposEmpresa = {
    bytes: scratch,
    razao: { start: 0, end: 0 },
    natureza: { start: 0, end: 0 },
    porte: 0,
    capital: { start: 0, end: 0 },
    capitalBytes: scratch,
  }

  function readCapital(linha: Linha): void {
    setFaixa(row.capital, linha, C.capital)
    row.capitalBytes = linha.bytes
    if (row.capital.start === row.capital.end || isCapitalLimpo(linha.bytes, row.capital)) return
    if (cleanCapital(linha.bytes, row.capital, scratch)) row.capitalBytes = scratch
    else {
      clear(row.capital)
      count(ctx.contagens, 'capitais_invalidos')
    }
  }

  return (linha) => {
    const raiz = raizDaLinha(ctx, linha)
    if (raiz < 0) return
    row.bytes = linha.bytes
    row.razao.start = linha.starts[C.razao] ?? 0
    row.razao.end = linha.ends[C.razao] ?? 0
    setFaixa(row.natureza, linha, C.natureza)
    padZeros(linha.bytes, row.natureza, 4)
    row.porte = porteOf(linha)
    readCapital(linha)
    const out = ctx.escritor.open(fatiaDe(ctx.fatias, raiz), 256 + (linha.end - linha.start) * 3)
    const at = startRegistro(out, raiz, 0)
    putEmpresa(out, ctx.codificacao, row)
    endRegistro(out, at)
  }
}
