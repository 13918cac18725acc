import { readFileSync } from 'node:fs'
import { Type } from 'typebox'
import { Check } from 'typebox/schema'
import { dataBrasileira, diaDe } from '../documento/dia.ts'

const lugares = ['nfe', 'imovel', 'cpf'] as const
export type OndeInforma = (typeof lugares)[number]

export type Informe = {
  id: string
  onde: readonly OndeInforma[]
  /** The first and the last day on which it is shown; an empty `ate` is no end. */
  de: string
  ate: string
  fonte: string
  conferido: string
  /** Whether the source itself was read; false where others are who tell what it says. */
  lida: boolean
  texto: string
}

export function informesEm(
  informes: readonly Informe[],
  onde: readonly OndeInforma[],
  agora: Date,
): string[] {
  const hoje = diaDe(agora.getTime())
  return informes
    .filter((one) => one.onde.some((lugar) => onde.includes(lugar)))
    .filter(({ de, ate }) => de <= hoje && (ate === '' || hoje <= ate))
    .map(({ texto, fonte, conferido, lida }) => {
      const how = lida ? 'lida' : 'vista por citação de terceiros'
      return `${texto} Fonte: ${fonte}, ${how} em ${dataBrasileira(conferido)}.`
    })
}

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

export function informesDe(onde: readonly OndeInforma[], agora: Date): string[] {
  informes ??= readInformes()
  return informesEm(informes, onde, agora)
}

function readInformes(): readonly Informe[] {
  const read: unknown = JSON.parse(readFileSync(ARQUIVO, 'utf8'))
  if (Check(Informes, read)) return read
  throw new Error('data/informes.json is not a list of notes')
}

export const informesRurais = (tipo: 'cpf' | 'cnpj', imoveis: number, agora: Date): string[] =>
  informesDe(
    [...(imoveis > 0 ? (['imovel'] as const) : []), ...(tipo === 'cpf' ? (['cpf'] as const) : [])],
    agora,
  )
