import { readFileSync } from 'node:fs'
import { Type } from 'typebox'
import { Check } from 'typebox/schema'
import { type Informe, informesEm, lugares, type OndeInforma } from './informe.ts'

/** Its origin is in data/README.md. */
const ARQUIVO = new URL('../../data/informes.json', import.meta.url)

const Dia = Type.String({ pattern: '^\\d{4}-\\d{2}-\\d{2}$' })
const Texto = Type.String({ minLength: 1 })

const Informes = Type.Array(
  Type.Object(
    {
      id: Texto,
      onde: Type.Array(Type.Enum([...lugares]), { minItems: 1 }),
      de: Dia,
      ate: Type.Union([Dia, Type.Literal('')]),
      fonte: Texto,
      conferido: Dia,
      lida: Type.Boolean(),
      texto: Texto,
    },
    { additionalProperties: false },
  ),
)

let informes: readonly Informe[] | undefined

/** What is to be known now besides an answer, for its `avisos`. */
export function informesDe(onde: readonly OndeInforma[], agora: Date): string[] {
  informes ??= readInformes()
  return informesEm(informes, onde, agora)
}

function readInformes(): readonly Informe[] {
  const read: unknown = JSON.parse(readFileSync(ARQUIVO, 'utf8'))
  if (Check(Informes, read)) return read
  throw new Error('data/informes.json is not a list of notes')
}

/** What is to be known with the rural properties of a holder: nothing of properties where there is none. */
export const informesRurais = (tipo: 'cpf' | 'cnpj', imoveis: number, agora: Date): string[] =>
  informesDe(
    [...(imoveis > 0 ? (['imovel'] as const) : []), ...(tipo === 'cpf' ? (['cpf'] as const) : [])],
    agora,
  )
