import { Type } from 'typebox'
import { Compile, type Validator } from 'typebox/schema'
import { FormatoNoCatalogo } from './catalogo.ts'
import { categorias } from './categorias.ts'
import { type Rejeicao, tiposDeRejeicao } from './rejeicao.ts'

const Texto = Type.String({ minLength: 1 })

const Entradas = Type.Array(
  Type.Object({
    codigo: Type.Integer({ minimum: 1 }),
    titulo: Texto,
    slug: Type.String({ pattern: '^[a-z0-9]+(-[a-z0-9]+)*$' }),
    motivo: Texto,
    categoria: Type.Union([Type.Enum([...categorias]), Type.Null()]),
    url_blog: Type.String({ pattern: '^/blog/rejeicoes/[a-z0-9-]+/$' }),
    causas: Type.Array(Texto),
    solucao_passos: Type.Array(Texto),
    verificacoes_analiticas: Type.Array(FormatoNoCatalogo),
    tipo: Type.Enum([...tiposDeRejeicao]),
    fontes: Type.Array(Texto),
    regras: Type.Array(
      Type.Object({ regra: Type.String(), modelo: Type.String(), documento: Type.String() }),
    ),
    outro_significado: Type.Union([Type.Object({ motivo: Texto, fonte: Type.String() }), Type.Null()]),
    campos: Type.Array(Texto),
    exemplos: Type.Optional(
      Type.Array(
        Type.Object({
          passo: Type.Integer({ minimum: 1 }),
          verificacao: Texto,
          errado: Type.String(),
          certo: Type.String(),
        }),
      ),
    ),
    onde_consultar: Type.Optional(
      Type.Array(
        Type.Object({
          nome: Texto,
          endereco: Type.String({ pattern: '^https?://[^\\s"<>]+$' }),
          origem: Texto,
        }),
      ),
    ),
  }),
  { minItems: 1 },
)

let compiled: Validator<typeof Entradas> | undefined

/** Reads the entries of a catalogue file. Throws an Error that says, in Portuguese, what is wrong. */
export function parseEntradas(text: string): Rejeicao[] {
  const value: unknown = JSON.parse(text)
  // Compiled with its first use: a command that reads no catalogue pays nothing.
  compiled ??= Compile(Entradas)
  if (compiled.Check(value)) return value
  const [, errors] = compiled.Errors(value)
  throw new Error(`fora do formato em ${errors[0]?.instancePath || 'seu início'}`)
}
