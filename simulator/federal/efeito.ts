import { type Efeito, findComportamento } from '../mundo/comportamento.ts'

/**
 * What goes wrong when the Receita Federal is asked about a reserved document, at the gateway or at the
 * portal. Troubles of the states alone do not touch it; `portal-fora` is also its portal's.
 */
export function efeitoFederal(documento: string, onde: 'contrato' | 'portal'): Efeito | undefined {
  const efeito = findComportamento(documento)?.efeito
  if (efeito?.tipo === 'por-uf') return undefined
  if (efeito?.tipo !== 'so-em') return efeito
  return efeito.onde === onde ? efeito.efeito : undefined
}
