import { readFileSync } from 'node:fs'
import { type Static, Type } from 'typebox'
import { Compile } from 'typebox/schema'

const TABELA = new URL('../../data/rejeicoes/resultados.json', import.meta.url)

const Resultados = Type.Record(
  Type.String({ pattern: '^\\d{3}$' }),
  Type.Object({
    nome: Type.String({ minLength: 1 }),
    fazer: Type.String({ minLength: 1 }),
    /** A refusal after all, of a state alone: no official text has the code. */
    recusa: Type.Optional(Type.Literal('da UF')),
  }),
)

let lidos: Static<typeof Resultados> | undefined

/**
 * What a status that refuses nothing says, or one that only a state uses, and what to do, in a few sentences;
 * undefined for other codes. Such a status is no entry of the catalogue.
 */
export function resultadoDe(codigo: number): string | undefined {
  lidos ??= lerResultados()
  const found = lidos[String(codigo)]
  if (!found) return undefined
  const oQue = found.recusa
    ? `O código ${codigo} não está no manual nem em nota técnica: é recusa própria de uma UF.`
    : `O código ${codigo} (${found.nome}) não é uma rejeição.`
  return `${oQue} ${found.fazer}`
}

function lerResultados(): Static<typeof Resultados> {
  const value: unknown = JSON.parse(readFileSync(TABELA, 'utf8'))
  if (Compile(Resultados).Check(value)) return value
  throw new Error('data/rejeicoes/resultados.json has another form')
}
