import { comportamentos } from '../simulator/comportamento.ts'

/** The reserved document that brings a misbehaviour about, by its name in the simulator's list. */
export function reservado(nome: string): string {
  const found = comportamentos.find((one) => one.nome === nome)
  if (!found) throw new Error(`the simulator has no behaviour ${nome}`)
  return found.documento
}
