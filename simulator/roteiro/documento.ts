import { type CenarioFederal, cenariosFederais } from '../federal/cenarios.ts'
import { type Comportamento, comportamentos } from '../mundo/comportamento.ts'
import type { Espera, Tentativa } from './linha.ts'

/** The same number with another last digit: a wrong check digit. */
export function trocarUltimo(numero: string): string {
  return numero.slice(0, -1) + ((Number(numero.at(-1)) + 1) % 10)
}

/** A CNPJ of 14 characters as people write it. */
export function mascararCnpj(cnpj: string): string {
  return cnpj.replace(/^(..)(...)(...)(....)/, '$1.$2.$3/$4-')
}

/** The reserved document that misbehaves as the row of this name says. Throws when there is none. */
export function comReserva(nome: string): Comportamento {
  const achado = comportamentos.find((um) => um.nome === nome)
  if (!achado) throw new Error(`O simulador não tem o comportamento ${nome}.`)
  return achado
}

/** A reserved document that is tried as a CNPJ; its own note stands where none is given. */
export type Reservado = readonly [nome: string, espera: Espera, nota?: string]

/** The questions about reserved documents. */
export function dosReservados(reservados: readonly Reservado[]): Tentativa[] {
  return reservados.map(([nome, espera, resumo]): Tentativa => {
    const { documento, nota } = comReserva(nome)
    return [{ cnpj: documento }, espera, resumo ?? nota]
  })
}

/** The company that is out of the ordinary for the Receita Federal as the row of this name says. */
export function federal(nome: string): CenarioFederal {
  const achado = cenariosFederais.find((um) => um.nome === nome)
  if (!achado) throw new Error(`O simulador não tem o cenário federal ${nome}.`)
  return achado
}
