import { lerTabela } from '../dados-abertos/dominio.ts'

const descricoes = new Map(lerTabela('cnaes'))

/** The name of a CNAE subclass; empty when the simulator does not know it. */
export function descricaoDoCnae(cnae: string): string {
  return descricoes.get(cnae) ?? ''
}

/**
 * Whether ICMS reaches an activity, by its CNAE division: farms, industry, energy, trade, transport of goods
 * and people, restaurants, telecommunications (LC 87/1996, arts. 2 and 3). The other services pay ISS to the
 * municipality.
 */
export function pagaIcms(cnae: string): boolean {
  const divisao = Number(cnae.slice(0, 2))
  return (
    (divisao >= 1 && divisao <= 35) || (divisao >= 45 && divisao <= 51) || divisao === 56 || divisao === 61
  )
}

/** Industry, wholesale and vehicle trade sell to other states, and register there as substitutes. */
export function vendeParaOutrosEstados(cnae: string): boolean {
  const divisao = Number(cnae.slice(0, 2))
  return (divisao >= 10 && divisao <= 33) || divisao === 45 || divisao === 46
}

/** One registration for all of a company's places in the state: energy and telecommunications. */
export function temInscricaoUnica(cnae: string): boolean {
  return /^(35|61)/.test(cnae)
}

/** Activities that ICMS reaches. */
export const atividadesDeIcms: readonly string[] = [...descricoes.keys()].filter(pagaIcms)

/** Crops and herds: CNAE divisions 01 and 02, without support services. */
export const atividadesRurais: readonly string[] = [...descricoes.keys()].filter((cnae) =>
  /^0(1[1-5]|21)/.test(cnae),
)
