import { type Empresa, getEmpresa, getSimples, getSocio, type Opcao, type Socio } from './empresa.ts'
import { type Cursor, getVarint, type Output, putVarint } from './formato-bytes.ts'
import type { Decoding } from './formato-coding.ts'

const EMPRESA = 1
const SIMPLES = 2

/** The company's part of a group: the company, its partners, its line of Simples.zip. */
export type ParteEmpresa = {
  empresa: Empresa | undefined
  simples: { simples: Opcao; mei: Opcao } | undefined
  qsa: Socio[]
}

/**
 * Writes the head of the company's part. The company, its Simples line and `socios` partners follow, where
 * said.
 */
export function putHead(out: Output, hasEmpresa: boolean, hasSimples: boolean, socios: number): void {
  putVarint(out, socios * 4 + (hasEmpresa ? EMPRESA : 0) + (hasSimples ? SIMPLES : 0))
}

/** Reads a company's part. */
export function getParteEmpresa(cursor: Cursor, decoding: Decoding, mask: boolean): ParteEmpresa {
  const head = getVarint(cursor)
  const empresa = head & EMPRESA ? getEmpresa(cursor, decoding, mask) : undefined
  const simples = head & SIMPLES ? getSimples(cursor) : undefined
  const qsa: Socio[] = []
  for (let count = Math.floor(head / 4); count > 0; count--) qsa.push(getSocio(cursor, decoding))
  return { empresa, simples, qsa }
}
