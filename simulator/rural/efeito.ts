import type { CasoRural, OndeRural } from '../mundo/comportamento.ts'
import { type Efeito, findComportamento } from '../mundo/comportamento.ts'

/**
 * What goes wrong in a registry of rural properties when this document is asked about. Effects of other
 * authorities mean the right answer here; the geodata, which no document reaches, have their own alone.
 */
export function efeitoRural(documento: string, onde: OndeRural): Efeito | undefined {
  const efeito = findComportamento(documento)?.efeito
  if (efeito?.tipo === 'por-uf') return undefined
  if (efeito?.tipo !== 'so-em') return onde === 'wfs' ? undefined : efeito
  return efeito.onde === onde ? efeito.efeito : undefined
}

/** The case that only these registries play, where it is one. */
export function casoRural(efeito: Efeito | undefined): CasoRural | undefined {
  return efeito?.tipo === 'rural' ? efeito.caso : undefined
}
