import { dataBrasileira, diaDe } from '../documento/dia.ts'

/** Where notes are shown: with a note's XML, with rural properties, with an answer about a CPF. */
export const lugares = ['nfe', 'imovel', 'cpf'] as const
export type OndeInforma = (typeof lugares)[number]

/** A fact about a norm that whoever reads an answer should know. Days are AAAA-MM-DD of Brasília. */
export type Informe = {
  id: string
  onde: readonly OndeInforma[]
  /** The first and the last day on which it is shown; an empty `ate` is no end. */
  de: string
  ate: string
  /** The norm. */
  fonte: string
  /** When this was last held against its source. */
  conferido: string
  /** Whether the source itself was read; false where others are who tell what it says. */
  lida: boolean
  texto: string
}

/** The notes of these places on the day of an instant, each with its source and when that was checked. */
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
