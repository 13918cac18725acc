import { type Static, Type } from 'typebox'
import { parseStored } from './stored.ts'

const Textos = Type.Array(Type.String())

/**
 * One official table: the code (digits, fixed width) and the description of each line. The file holds the
 * line's place.
 */
export const Tabela = Type.Object({
  codigos: Textos,
  descricoes: Textos,
})
export type Tabela = Static<typeof Tabela>

/**
 * The tables of a vintage, so that it can be read without any other file. `ufs` and `ibge` go with `codigos`.
 */
export const Dominios = Type.Object({
  cnaes: Tabela,
  municipios: Type.Object({ codigos: Textos, descricoes: Textos, ufs: Textos, ibge: Textos }),
  naturezas: Tabela,
  qualificacoes: Tabela,
  motivos: Tabela,
})
export type Dominios = Static<typeof Dominios>

/** Reads `dominios.json`. Throws (in Portuguese) when it is not what the importer wrote. */
export function parseDominios(json: string): Dominios {
  const dominios = parseStored(Dominios, json)
  if (dominios === undefined) throw new Error('dominios.json inválido')
  return dominios
}
