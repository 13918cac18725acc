import { ufs } from '../documento/inscricao-estadual.ts'
import type { Uf } from '../documento/molde.ts'
import { cnpjReservado } from '../documento/reserva.ts'
import type { Contribuinte, Ocorrencia } from './contribuinte.ts'
import { derivarDoDocumento } from './derivado.ts'
import { mundoSemeado } from './semeado.ts'

/**
 * The holder of a bare CPF or CNPJ (letters in capitals): seeded, or derived from the digits, always the
 * same. Undefined when the document is invalid or unknown to everybody, as about one in five is.
 */
export function findContribuinte(documento: string): Contribuinte | undefined {
  return mundoSemeado().porDocumento.get(documento) ?? derivarDe(documento, ufs)
}

/**
 * What one state's register holds of a document: nothing, one registration or several, each with its owner.
 */
export function listOcorrencias(uf: Uf, documento: string): Ocorrencia[] {
  // Deriving the registrations in all 27 states was a quarter of the work of an answer.
  const semeado = mundoSemeado().porDocumento.get(documento)
  const contribuinte = semeado ?? derivarDe(documento, [uf])
  if (!contribuinte) return []
  if (!semeado) lembrar(contribuinte)
  const inscricoes = contribuinte.inscricoes.filter((inscricao) => inscricao.uf === uf)
  return inscricoes.map((inscricao) => ({ contribuinte, inscricao }))
}

/** A number of a state belongs to one only, and the seeded world was there first. */
function derivarDe(documento: string, estados: readonly Uf[]): Contribuinte | undefined {
  const { porInscricao } = mundoSemeado()
  const derivado = derivarDoDocumento(documento, estados)
  const tomada = derivado?.inscricoes.some(({ uf, ie }) => porInscricao.has(uf + ie))
  return derivado && tomada
    ? { ...derivado, inscricoes: derivado.inscricoes.filter(({ uf, ie }) => !porInscricao.has(uf + ie)) }
    : derivado
}

/**
 * The CNPJ whose derived record showed a number last, newest at the end. CNPJs outnumber a state's
 * registrations by far.
 */
const mostradas = new Map<string, string>()
const MAIS_MOSTRADAS = 50_000

function lembrar({ documento, inscricoes }: Contribuinte): void {
  for (const { uf, ie } of inscricoes) {
    mostradas.delete(uf + ie)
    mostradas.set(uf + ie, documento)
  }
  for (const antiga of mostradas.keys()) {
    if (mostradas.size <= MAIS_MOSTRADAS) return
    mostradas.delete(antiga)
  }
}

/**
 * The holder of a registration: seeded, or the last whose record showed it, or a branch that `reserva.ts`
 * reserves for the number (5000 and up). Undefined when the number is invalid or was not issued, as about one
 * in five is.
 */
export function findPorInscricao(uf: string, ie: string): Contribuinte | undefined {
  // MT's rule has two leading zeros that its own answers leave out.
  const numero = uf === 'MT' && ie.length === 11 ? ie.replace(/^00/, '') : ie
  const semeado = mundoSemeado().porInscricao.get(uf + numero)
  if (semeado) return semeado
  const documento = mostradas.get(uf + numero) ?? cnpjReservado(uf, numero)
  return documento ? findContribuinte(documento) : undefined
}

/** The seeded world, some thousands: the sample CNPJ base's establishments, the rural producers and other
 * persons, the holders of the A1 files. */
export function listContribuintes(): readonly Contribuinte[] {
  return [...mundoSemeado().porDocumento.values()]
}
