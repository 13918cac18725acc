import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { type Static, Type } from 'typebox'
import { Compile } from 'typebox/compile'
import { destinos } from './familias/familia.ts'
import { PASTA } from './tabelas.ts'

const Textos = Type.Array(Type.String({ minLength: 10 }))

/** A sheet as it is written: `data/rejeicoes/textos/<grupo>.json`, by code. */
export const FichaEscrita = Type.Object(
  {
    familia: Type.String({ pattern: '^[a-z0-9-]+(/[a-z0-9-]+)?$' }),
    /** Why the text is written by hand. */
    razao: Type.Optional(Type.String({ minLength: 10 })),
    campos: Type.Array(Type.String({ pattern: '^[\\w@*/]+$' })),
    p: Type.Optional(Type.Record(Type.String(), Type.Union([Type.String(), Type.Array(Type.String())]))),
    causas: Type.Optional(Textos),
    passos: Type.Optional(Textos),
    /** What is mended: a path, or words with their article where no field of the layout tells it. */
    corrige: Type.Optional(Type.String({ pattern: '^((o|a|os|as) |[\\w@*]+/)' })),
    numero: Type.Optional(Type.Enum([...destinos])),
  },
  { additionalProperties: false },
)
export type FichaEscrita = Static<typeof FichaEscrita>

const Arquivo = Compile(Type.Record(Type.String({ pattern: '^\\d{3,4}$' }), FichaEscrita))

/** All sheets by code. Throws if a file has another shape, or if a code has two sheets. */
export function lerFichas(): Map<number, FichaEscrita> {
  const fichas = new Map<number, FichaEscrita>()
  for (const nome of globSync('textos/*.json', { cwd: fileURLToPath(PASTA) }).sort()) {
    const lido: unknown = JSON.parse(readFileSync(new URL(nome, PASTA), 'utf8'))
    if (!Arquivo.Check(lido)) {
      const [erro] = Arquivo.Errors(lido)
      throw new Error(`${nome}${erro?.instancePath}: ${erro?.message}`)
    }
    for (const [codigo, ficha] of Object.entries(lido)) {
      if (fichas.has(Number(codigo))) throw new Error(`${nome}: ${codigo} has a sheet already`)
      fichas.set(Number(codigo), ficha)
    }
  }
  return fichas
}
