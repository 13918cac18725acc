import { cenariosFederais } from '../../simulator/federal/cenarios.ts'
import { comportamentos } from '../../simulator/mundo/comportamento.ts'

/** The reserved document that brings a misbehaviour about, by its name in the simulator's list. */
export function reservado(nome: string): string {
  const found = comportamentos.find((one) => one.nome === nome)
  if (!found) throw new Error(`the simulator has no behaviour ${nome}`)
  return found.documento
}

/** The company that is out of the ordinary for the Receita Federal alone, by its name in the list. */
export function federal(nome: string): string {
  const found = cenariosFederais.find((one) => one.nome === nome)
  if (!found) throw new Error(`the simulator has no federal scenario ${nome}`)
  return found.documento
}
