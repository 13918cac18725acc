import type { CasoRural, OndeRural } from '../mundo/comportamento.ts'
import { type Efeito, findComportamento } from '../mundo/comportamento.ts'

/** Effects of other authorities mean the right answer here; no document reaches the geodata. */
export function efeitoRural(documento: string, onde: OndeRural): Efeito | undefined {
  const efeito = findComportamento(documento)?.efeito
  if (efeito?.tipo === 'por-uf') return undefined
  if (efeito?.tipo !== 'so-em') return onde === 'wfs' ? undefined : efeito
  return efeito.onde === onde ? efeito.efeito : undefined
}

export const casoRural = (efeito: Efeito | undefined): CasoRural | undefined =>
  efeito?.tipo === 'rural' ? efeito.caso : undefined
