import type { Cenario } from './cenario.ts'
import { falhas } from './cenarios-de-falhas.ts'
import { papeis } from './cenarios-de-papeis.ts'
import { fluxo } from './cenarios-do-fluxo.ts'
import { montarCenarios } from './linha.ts'

/** Every scenario. Their numbers are in the keys of the notes, so each table has a range of its own. */
export const cenarios: readonly Cenario[] = [
  ...montarCenarios(1, fluxo),
  ...montarCenarios(101, papeis),
  ...montarCenarios(201, falhas),
]

const porNumero = new Map(cenarios.map((cenario) => [cenario.numero, cenario]))
const porTitular = new Map(cenarios.map((cenario) => [cenario.titular.documento, cenario]))
const porNome = new Map(cenarios.map((cenario) => [cenario.nome, cenario]))

/** The scenario of a number; undefined when none has it. */
export function findCenario(numero: number): Cenario | undefined {
  return porNumero.get(numero)
}

/** The scenario whose A1 file this CNPJ or CPF holds; undefined when none has it. */
export function doTitular(documento: string): Cenario | undefined {
  return porTitular.get(documento)
}

/** The scenario of this name. Throws when there is none. */
export function comCenario(nome: string): Cenario {
  const cenario = porNome.get(nome)
  if (!cenario) throw new Error(`O simulador não tem o cenário ${nome}.`)
  return cenario
}
