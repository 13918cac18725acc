import { readFileSync } from 'node:fs'
import { type Static, Type } from 'typebox'
import { Compile } from 'typebox/schema'

const TABELA = new URL('../../data/rejeicoes/resultados.json', import.meta.url)

const Resultados = Type.Record(
  Type.String({ pattern: '^\\d{3}$' }),
  Type.Object({ nome: Type.String({ minLength: 1 }), fazer: Type.String({ minLength: 1 }) }),
)

let lidos: Static<typeof Resultados> | undefined

/**
 * What a status that refuses nothing says, and what to do, in one sentence or two; undefined for other codes.
 * Such a status is no entry of the catalogue.
 */
export function resultadoDe(codigo: number): string | undefined {
  lidos ??= lerResultados()
  const found = lidos[String(codigo)]
  return found && `O código ${codigo} (${found.nome}) não é uma rejeição. ${found.fazer}`
}

function lerResultados(): Static<typeof Resultados> {
  const value: unknown = JSON.parse(readFileSync(TABELA, 'utf8'))
  if (Compile(Resultados).Check(value)) return value
  throw new Error('data/rejeicoes/resultados.json has another form')
}
